// Past sessions, the latest active first, and a search through what was said in them.
import { useRef, useState } from 'react'
import { admin } from '../api/admin.ts'
import { usePaged } from '../api/queries.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { useAfterPause } from './pause.ts'
import { Older, Skeleton, Wrong } from './small.tsx'
import { agoOf } from './times.ts'
import { useVisit } from './visit.ts'

type SessionsOf = {
  domainName: string
  current: string
  isShown: boolean // on a small screen, where the list lies over the page
  onClose: () => void
  onOpen: (id: string | null) => void
}

export function Sessions({ domainName, current, isShown, onClose, onOpen }: SessionsOf) {
  const panel = useRef<HTMLElement>(null)
  useVisit(panel, isShown)
  const [typed, setTyped] = useState('')
  const [from, setFrom] = useState<From>('console')
  const searched = useAfterPause(typed).trim()
  const open = (id: string | null) => {
    onOpen(id)
    onClose()
  }
  return (
    <aside
      ref={panel}
      className="sessions"
      data-shown={isShown}
      aria-label={words.sessions}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="row apart">
        <h2>{words.sessions}</h2>
        <span className="row">
          <button type="button" className="button tiny" onClick={() => open(null)}>
            <Icon name="plus" size={15} /> {words.new}
          </button>
          <button
            type="button"
            className="button plain icon tiny sessions-close"
            aria-label={words.close}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </span>
      </div>
      <div className="search small">
        <Icon name="search" size={16} />
        <input
          className="input"
          type="search"
          placeholder={words.whatWasSaid}
          aria-label={words.searchWhatWasSaid}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {searched === '' && (
        <fieldset className="row session-from">
          <legend className="unseen">{words.whose}</legend>
          {whose.map(([value, label]) => (
            <label key={value} className="choice small">
              <input type="radio" name="from" checked={from === value} onChange={() => setFrom(value)} /> {label}
            </label>
          ))}
        </fieldset>
      )}
      {searched === '' ? (
        <Latest domainName={domainName} current={current} from={from} onOpen={open} />
      ) : (
        <Found domainName={domainName} sought={searched} onOpen={open} />
      )}
    </aside>
  )
}

type From = 'console' | 'elsewhere'

const whose: [From, string][] = [
  ['console', words.yours],
  ['elsewhere', words.callers],
]

type ListOf = { domainName: string; onOpen: (id: string) => void }

function Latest({ domainName, current, from, onOpen }: ListOf & { current: string; from: From }) {
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'sessions', from],
    async (before) => {
      const { sessions, next } = await admin.listSessions({ domain_name: domainName, before, limit: 30, from })
      return { items: sessions, next }
    },
  )
  if (error) return <Wrong error={error} />
  if (!data) return <Skeleton lines={4} />
  if (items.length === 0) {
    const nobody = from === 'console' ? words.youHaveNotAsked : words.noCallerHasAsked
    return <p className="quiet small">{nobody}</p>
  }
  return (
    <>
      <ul className="session-list">
        {items.map((session) => (
          <li key={session.id}>
            <button type="button" aria-current={session.id === current} onClick={() => onOpen(session.id)}>
              <span className="session-opening">{session.title || session.opening || session.id}</span>
              <span className="quiet small">
                {agoOf(session.last_at)}, {words.messagesCounted(session.messages)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && <Older onClick={fetchNextPage} />}
    </>
  )
}

function Found({ domainName, sought, onOpen }: ListOf & { sought: string }) {
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'messages', sought],
    async (before) => {
      const { messages, next } = await admin.searchMessages({
        domain_name: domainName,
        text: sought,
        before,
        limit: 30,
      })
      return { items: messages, next }
    },
  )
  if (error) return <Wrong error={error} />
  if (!data) return <Skeleton lines={4} />
  if (items.length === 0) return <p className="quiet small">{words.nobodySaidThat}</p>
  return (
    <>
      <ul className="session-list">
        {items.map((message) => (
          <li key={message.id}>
            <button type="button" onClick={() => onOpen(message.session_id)}>
              <span className="session-opening">
                <Around text={message.text} sought={sought} />
              </span>
              <span className="quiet small">
                {(message.role === 'user' ? words.askedAgo : words.repliedAgo)(agoOf(message.created_at))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && <Older onClick={fetchNextPage} />}
    </>
  )
}

function Around({ text, sought }: { text: string; sought: string }) {
  const at = text.toLowerCase().indexOf(sought.toLowerCase())
  if (at < 0) return text.slice(0, 90)
  const from = Math.max(0, at - 30)
  return (
    <>
      {from > 0 && '…'}
      {text.slice(from, at)}
      <mark>{text.slice(at, at + sought.length)}</mark>
      {text.slice(at + sought.length, at + 70)}
    </>
  )
}
