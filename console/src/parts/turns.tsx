// What was said, turn by turn: questions on one side, replies with their score on the other.
import { Link } from 'wouter'
import type { Persona } from '../api/admin.ts'
import { Markdown } from './markdown.tsx'
import { Score } from './small.tsx'

type Spoken = { key: string; kind: 'asked' | 'coming' | 'failed'; text: string }
type Replied = {
  key: string
  kind: 'sent' | 'withheld'
  text: string
  score: number
  replyId: string | null
  isWithoutModel?: boolean // the chat model did not answer
}
export type Turn = Spoken | Replied

type TurnsOf = { turns: Turn[]; persona: Persona; explained: string | null; onExplain: (id: string | null) => void }

export const Turns = ({ turns, ...more }: TurnsOf) => (
  <ol className="turns" aria-live="polite" aria-relevant="additions">
    {turns.map((turn) => (
      <li key={turn.key} className={`turn ${turn.kind}`}>
        <TurnView turn={turn} {...more} />
      </li>
    ))}
  </ol>
)

function TurnView({ turn, ...more }: Omit<TurnsOf, 'turns'> & { turn: Turn }) {
  if (turn.kind === 'sent' || turn.kind === 'withheld') return <ReplyView turn={turn} {...more} />
  if (turn.kind === 'asked') {
    return (
      <p>
        <span className="unseen">You: </span>
        {turn.text}
      </p>
    )
  }
  if (turn.kind === 'failed') return <p className="wrong">{turn.text}</p>
  return turn.text === '' ? (
    <span className="thinking" role="status">
      <span className="unseen">{more.persona.name} is remembering</span>
      <i /> <i /> <i />
    </span>
  ) : (
    <Markdown text={turn.text} isComing />
  )
}

function ReplyView({ turn, persona, explained, onExplain }: Omit<TurnsOf, 'turns'> & { turn: Replied }) {
  const { replyId } = turn
  const isShown = explained !== null && explained === replyId
  return (
    <article>
      <span className="unseen">{persona.name}: </span>
      {turn.kind === 'withheld' && (
        <p className="withheld-note">
          Withheld: below the threshold of {persona.threshold} %. Callers were told so; it waits in{' '}
          <Link href={`/p/${persona.domain_name}/copilot`}>Copilot</Link>.
        </p>
      )}
      <Markdown text={turn.text} />
      {turn.isWithoutModel && <p className="small quiet">Answered from memory: the model did not answer.</p>}
      <footer className="row turn-foot">
        <Score value={turn.score} />
        {replyId !== null && (
          <button
            type="button"
            className="button plain tiny"
            aria-expanded={isShown}
            onClick={() => onExplain(isShown ? null : replyId)}
          >
            Why?
          </button>
        )}
      </footer>
    </article>
  )
}
