// What was said, turn by turn: questions on one side, replies with their score, sources and verdict on the other.
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { isSending } from './composer.tsx'
import { FormEnd } from './field.tsx'
import { Filled } from './filled.tsx'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { CopyIcon, Score } from './small.tsx'
import { ReadAloud } from './speech.tsx'
import type { Replied, Turn } from './turn.ts'
import { Thumbs } from './verdict.tsx'

export type Explained = { id: string; memoryId: string | null }

type TurnsOf = {
  turns: Turn[]
  persona: Persona
  explained: Explained | null
  onExplain: (explained: Explained | null) => void
  onAskInstead: ((text: string) => void) | undefined // of the last question; undefined while a reply comes
}

export function Turns({ turns, onAskInstead, ...more }: TurnsOf) {
  const last = turns.findLast((turn) => turn.kind === 'asked')
  return (
    <ol className="turns" aria-live="polite" aria-relevant="additions">
      {turns.map((turn, at) => {
        const isLast = last?.isOwn && (turn === last || at === turns.length - 1)
        return (
          <li key={turn.key} className={`turn ${turn.kind}`}>
            <TurnView
              turn={turn}
              question={last?.text ?? ''}
              onAskInstead={isLast ? onAskInstead : undefined}
              {...more}
            />
          </li>
        )
      })}
    </ol>
  )
}

type TurnOf = Omit<TurnsOf, 'turns'> & { question: string }

function TurnView({ turn, ...more }: TurnOf & { turn: Turn }) {
  const { persona, onAskInstead, question } = more
  if (turn.kind === 'sent' || turn.kind === 'withheld') return <ReplyView turn={turn} {...more} />
  if (turn.kind === 'asked') return <Question text={turn.text} onAskInstead={onAskInstead} />
  if (turn.kind === 'coming') {
    return turn.text === '' ? (
      <span className="thinking" role="status">
        <span className="unseen">{words.isRemembering(persona.name)}</span>
        <i /> <i /> <i />
      </span>
    ) : (
      <Markdown text={turn.text} isComing />
    )
  }
  return (
    <>
      {turn.kind === 'failed' ? <p className="wrong">{turn.text}</p> : <Markdown text={turn.text} isComing />}
      <footer className="row turn-foot">
        {turn.kind === 'stopped' && <span className="small quiet">{words.stoppedNotKept}</span>}
        {onAskInstead && <AskAgain onClick={() => onAskInstead(question)} />}
      </footer>
    </>
  )
}

const AskAgain = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    className="button plain icon tiny"
    aria-label={words.askAgain}
    title={words.askAgain}
    onClick={onClick}
  >
    <Icon name="again" size={16} />
  </button>
)

function Question({ text, onAskInstead }: { text: string; onAskInstead: TurnsOf['onAskInstead'] }) {
  const [isEdited, setEdited] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const changed = String(new FormData(event.currentTarget).get('question')).trim()
    if (changed === '') return
    setEdited(false)
    onAskInstead?.(changed)
  }
  // As where a message is written.
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') setEdited(false)
    if (!isSending(event)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  if (isEdited) {
    return (
      <form className="stack question-form" onSubmit={submit}>
        <textarea
          className="input"
          name="question"
          aria-label={words.theQuestion}
          defaultValue={text}
          onKeyDown={press}
          required
          // biome-ignore lint/a11y/noAutofocus: it stands where the button was
          autoFocus
        />
        <FormEnd does={words.ask} onBack={() => setEdited(false)} error={null} isOff={!onAskInstead} isTiny />
      </form>
    )
  }
  return (
    <div className="question">
      {onAskInstead && (
        <button
          type="button"
          className="button plain icon tiny"
          aria-label={words.editTheQuestion}
          title={words.editTheQuestion}
          onClick={() => setEdited(true)}
        >
          <Icon name="edit" size={15} />
        </button>
      )}
      <p>
        <span className="unseen">{words.youSaid} </span>
        {text}
      </p>
    </div>
  )
}

function ReplyView({ turn, persona, explained, onExplain, onAskInstead, question }: TurnOf & { turn: Replied }) {
  const { replyId } = turn
  const isShown = explained !== null && explained.id === replyId
  return (
    <article>
      <span className="unseen">{persona.name}: </span>
      {turn.kind === 'withheld' && (
        <p className="withheld-note">
          <Filled text={words.withheldBelow(persona.threshold)}>
            <Link href={`/p/${persona.domain_name}/copilot`}>{words.copilot}</Link>
          </Filled>
        </p>
      )}
      <Markdown
        text={turn.text}
        marks={turn.marks}
        onMark={(memoryId) => replyId !== null && onExplain({ id: replyId, memoryId })}
      />
      {turn.isWithoutModel && <p className="small quiet">{words.answeredWithoutModel}</p>}
      <footer className="row turn-foot">
        <Score value={turn.score} />
        {replyId !== null && (
          <button
            type="button"
            className="button plain tiny"
            aria-expanded={isShown}
            onClick={() => onExplain(isShown ? null : { id: replyId, memoryId: null })}
          >
            {words.why}
          </button>
        )}
        <span className="row turn-actions">
          <CopyIcon text={turn.text} label={words.copyTheReply} />
          <ReadAloud />
          {replyId !== null && <Thumbs domainName={persona.domain_name} id={replyId} label={turn.label} />}
          {onAskInstead && <AskAgain onClick={() => onAskInstead(question)} />}
        </span>
      </footer>
    </article>
  )
}
