// A conversation with the persona, as callers have it, and with what callers do not see: why it said what it said.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { admin, type Entry, type Persona } from '../api/admin.ts'
import { Refused } from '../api/call.ts'
import { talk } from '../api/service.ts'
import { Explanation } from '../parts/explanation.tsx'
import { Icon } from '../parts/icon.tsx'
import { newId } from '../parts/id.ts'
import { Sessions } from '../parts/sessions.tsx'
import { Copy, Empty, Monogram, Skeleton, Wrong } from '../parts/small.tsx'
import { type Turn, Turns } from '../parts/turns.tsx'

export function Talk({ persona }: { persona: Persona }) {
  const [search, setSearch] = useSearchParams()
  const given = search.get('session')
  const [fresh, setFresh] = useState(newId)
  const sessionId = given ?? fresh
  const open = (id: string | null) => {
    if (id === null) setFresh(newId())
    setSearch(id === null ? {} : { session: id })
  }
  // Its address from the first message on: back, a reload and signing in again lead to it.
  const begin = () => given === null && setSearch({ session: fresh }, { replace: true })
  useEffect(() => {
    if (given === fresh) setFresh(newId())
  }, [given, fresh])
  return (
    <Conversation
      key={`${persona.domain_name} ${sessionId}`}
      persona={persona}
      sessionId={sessionId}
      onBegin={begin}
      onOpen={open}
      isOld={given !== null}
    />
  )
}

type ConversationOf = {
  persona: Persona
  sessionId: string
  onBegin: () => void
  onOpen: (id: string | null) => void
  isOld: boolean
}

function Conversation({ persona, sessionId, onBegin, onOpen, isOld }: ConversationOf) {
  const [isKept] = useState(isOld) // what is said here from the first word on need not be looked up
  const domainName = persona.domain_name
  const queries = useQueryClient()
  const history = useQuery({
    queryKey: [domainName, 'session', sessionId],
    queryFn: () => historyOf(domainName, sessionId),
    enabled: isKept,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [said, setSaid] = useState<Turn[]>([])
  const [explained, setExplained] = useState<string | null>(null)
  const [isSessions, setSessions] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const turns = useMemo(() => [...(history.data ?? []), ...said], [history.data, said])
  const isWaiting = said.at(-1)?.kind === 'coming'
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something is said, the end comes into view
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [turns])

  const ask = async (text: string) => {
    const key = newId()
    onBegin()
    const put = (turn: Turn) => setSaid((before) => [...before.filter((one) => one.key !== turn.key), turn])
    put({ key: `${key}-asked`, kind: 'asked', text })
    put({ key, kind: 'coming', text: '' })
    try {
      const reply = await talk(domainName, text, sessionId, (come) => put({ key, kind: 'coming', text: come }))
      const { text: told, score, replyId } = reply
      put({ key, kind: 'sent', text: told, score, replyId })
      if (await isWithoutModel(domainName, replyId))
        put({ key, kind: 'sent', text: told, score, replyId, isWithoutModel: true })
    } catch (error) {
      put(await refusedTurn(domainName, key, error))
    }
    queries.invalidateQueries({ queryKey: [domainName, 'sessions'] })
    queries.invalidateQueries({ queryKey: [domainName, 'drafts'] })
    queries.invalidateQueries({ queryKey: [domainName, 'replies'] })
  }

  return (
    <div className="talk" data-explained={explained !== null}>
      <Sessions
        domainName={domainName}
        current={sessionId}
        isShown={isSessions}
        onClose={() => setSessions(false)}
        onOpen={onOpen}
      />
      <section className="conversation" aria-label={`Conversation with ${persona.name}`}>
        <header className="conversation-head">
          <Monogram persona={persona} size="2.9rem" />
          <div>
            <h1 title={persona.name}>{persona.name}</h1>
            <Copy text={domainName} label="DomainName" />
          </div>
          <button type="button" className="button tiny sessions-button" onClick={() => setSessions(true)}>
            <Icon name="history" size={15} /> Sessions
          </button>
        </header>
        {history.isLoading && <Skeleton lines={4} />}
        <Wrong error={history.error} />
        {turns.length === 0 && !history.isLoading && !history.error && <Opening persona={persona} onAsk={ask} />}
        <Turns turns={turns} persona={persona} explained={explained} onExplain={setExplained} />
        <div ref={end} className="conversation-end" />
        <Composer name={persona.name} isWaiting={isWaiting} onSay={ask} />
      </section>
      {explained !== null && (
        <Explanation key={explained} persona={persona} id={explained} onClose={() => setExplained(null)} />
      )}
    </div>
  )
}

// What was said, and between that the replies that still wait for the owner.
async function historyOf(domainName: string, sessionId: string): Promise<Turn[]> {
  const [{ messages }, { drafts }] = await Promise.all([
    admin.getSession({ domain_name: domainName, id: sessionId }).catch(nothingSaid),
    admin.listDrafts({ domain_name: domainName, limit: 200 }),
  ])
  const said = messages.map(
    ({ id, role, text, score }): Turn =>
      role === 'user' ? { key: id, kind: 'asked', text } : { key: id, kind: 'sent', text, score, replyId: id },
  )
  const waiting = drafts
    .filter((draft) => draft.session_id === sessionId)
    .map(({ id, text, score }): Turn => ({ key: id, kind: 'withheld', text, score, replyId: id }))
  // Ids sort by the time they were made.
  return [...said, ...waiting].sort((a, b) => (a.key < b.key ? -1 : 1))
}

// The address of a conversation whose first message was never answered.
function nothingSaid(error: unknown): { messages: Entry[] } {
  if (error instanceof Refused && error.status === 404) return { messages: [] }
  throw error
}

async function isWithoutModel(domainName: string, id: string | null): Promise<boolean> {
  if (id === null) return false
  const why = await admin.explainReply({ domain_name: domainName, id }).catch(() => undefined)
  return why !== undefined && why.without_model !== null
}

async function refusedTurn(domainName: string, key: string, error: unknown): Promise<Turn> {
  const refused = error instanceof Refused ? error : new Refused(0, (error as Error).message)
  const failed: Turn = { key, kind: 'failed', text: refused.message }
  if (refused.replyId === null) return failed
  try {
    const { text, score, without_model } = await admin.explainReply({ domain_name: domainName, id: refused.replyId })
    const isWithoutModel = without_model !== null
    return { key, kind: 'withheld', text, score, replyId: refused.replyId, isWithoutModel }
  } catch {
    return { ...failed, text: `${refused.message} It waits in Copilot; its text could not be looked up.` }
  }
}

const SHORT_TITLE = 40 // characters that a button can hold

function Opening({ persona, onAsk }: { persona: Persona; onAsk: (text: string) => void }) {
  const { data } = useQuery({
    queryKey: [persona.domain_name, 'documents', 'any'],
    queryFn: () => admin.timeline({ domain_name: persona.domain_name, limit: 12 }),
  })
  if (data?.memories.length === 0) {
    return (
      <Empty
        title={`${persona.name} remembers nothing yet`}
        actions={
          <>
            <Link className="button main" href={`/p/${persona.domain_name}/documents`}>
              Add documents
            </Link>
            <Link className="button" href={`/p/${persona.domain_name}/memory`}>
              Add a memory
            </Link>
          </>
        }
      >
        Drop a file here, paste an address, or add a memory. Then ask about it.
      </Empty>
    )
  }
  const titles = data?.memories.map(({ title }) => title.replace(/\.\w{1,5}$/, '')) ?? [] // a file's name without its ending
  const subject = titles.find((title) => title !== '' && title.length <= SHORT_TITLE)
  return (
    <div className="opening">
      <p className="lead">Ask {persona.name} something.</p>
      <div className="row">
        {[...(subject ? [`What do you know about ${subject}?`] : []), 'What do you know?', 'Who are you?'].map(
          (question) => (
            <button key={question} type="button" className="button tiny" onClick={() => onAsk(question)}>
              {question}
            </button>
          ),
        )}
      </div>
    </div>
  )
}

function Composer({ name, isWaiting, onSay }: { name: string; isWaiting: boolean; onSay: (text: string) => void }) {
  const [text, setText] = useState('')
  const say = () => {
    if (text.trim() === '' || isWaiting) return
    onSay(text.trim())
    setText('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    say()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    say()
  }
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        rows={1}
        value={text}
        aria-label={`Message to ${name}`}
        placeholder={`Message ${name}`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <button type="submit" className="button main icon" aria-label="Send" disabled={isWaiting || text.trim() === ''}>
        <Icon name="send" />
      </button>
    </form>
  )
}
