// Why a reply is what it is: the sentences it rests on, what made it sure or unsure, and what nearly counted.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { Link } from 'wouter'
import { admin, type Explanation as Explained, type Persona, type Source } from '../api/admin.ts'
import { Refused } from '../api/call.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { marksIn } from './marks.ts'
import { ScoreParts } from './score-parts.tsx'
import { levelOf, Score, Skeleton, Wrong } from './small.tsx'
import { SpentOn } from './spent.tsx'
import { dayOf, milliseconds } from './times.ts'
import { Verdict } from './verdict.tsx'
import { useVisit } from './visit.ts'

type ExplanationOf = { persona: Persona; id: string; memoryId: string | null; onClose: () => void }

// `memoryId`: the source that was asked for.
export function Explanation({ persona, id, memoryId, onClose }: ExplanationOf) {
  const domainName = persona.domain_name
  const panel = useRef<HTMLElement>(null)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [domainName, 'replies', 'one', id],
    queryFn: () => admin.explainReply({ domain_name: domainName, id }),
  })
  // What the owner let through entered the history under an id of its own.
  const isApproved = error instanceof Refused && error.status === 404
  useVisit(panel)
  return (
    <aside
      ref={panel}
      className="drawer"
      aria-label={words.whyThisReply}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="row apart drawer-head">
        <h2>{words.whyThisReply}</h2>
        <button type="button" className="button plain icon tiny" aria-label={words.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {isApproved && <p>{words.youApprovedThisReply}</p>}
      {error && !isApproved && !isFetching && (
        <div className="stack">
          <Wrong error={words.whyFailed(error.message)} />
          <div>
            <button type="button" className="button tiny" onClick={() => refetch()}>
              <Icon name="again" size={15} /> {words.tryAgain}
            </button>
          </div>
        </div>
      )}
      {!data && (!error || isFetching) && <Skeleton lines={7} />}
      {data && <Whole domainName={domainName} reply={data} memoryId={memoryId} />}
    </aside>
  )
}

type WholeOf = { domainName: string; reply: Explained; memoryId?: string | null }

export function Whole({ domainName, reply, memoryId = null }: WholeOf) {
  return (
    <div className="stack explanation">
      <div className="row apart">
        <Score value={reply.score} />
        <Verdict domainName={domainName} id={reply.id} label={reply.label} />
      </div>
      {reply.visitor_label !== null && (
        <p className="small quiet">
          {reply.visitor_label === 'right' ? words.visitorFoundItRight : words.visitorFoundItWrong}
        </p>
      )}
      {reply.understood_as !== null && reply.understood_as !== reply.question && (
        <p className="small">
          <span className="quiet">{words.understoodAs}</span> {reply.understood_as}
        </p>
      )}
      {reply.without_model !== null && (
        <p className="small">
          <span className="quiet">{words.answeredFromMemory}</span> {reply.without_model}
        </p>
      )}
      <section className="stack">
        <h3>{words.itRestsOn}</h3>
        {reply.sources.length === 0 && (
          <p className="quiet">{levelOf(reply.score) === 'high' ? words.noMemoryNeeded : words.nothingInMemory}</p>
        )}
        {reply.sources.map((source) => (
          <SourceView
            key={source.memory_id}
            domainName={domainName}
            source={source}
            isChosen={source.memory_id === memoryId}
          />
        ))}
      </section>
      {reply.left_out.length > 0 && (
        <section className="stack">
          <h3>{words.leftOut}</h3>
          <p className="small quiet">{words.modelContradicts}</p>
          <ul className="stack near">
            {reply.left_out.map((one) => (
              <li key={one.memory_id}>
                <p>{one.text}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {reply.parts.length > 0 && <ScoreParts parts={reply.parts} />}
      {reply.near_misses.length > 0 && (
        <section className="stack">
          <h3>{words.cameNear}</h3>
          <ul className="stack near">
            {reply.near_misses.map((one) => (
              <li key={one.memory_id}>
                <p>{one.text}</p>
                <p className="small quiet">
                  {one.title && <Link href={`/p/${domainName}/documents/${one.document_id}`}>{one.title}</Link>}
                  {one.title && ', '}
                  {dayOf(one.start_time_utc)}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Making reply={reply} />
    </div>
  )
}

type SourceOf = { domainName: string; source: Source; isChosen?: boolean }

export function SourceView({ domainName, source, isChosen = false }: SourceOf) {
  const show = useCallback(
    (one: HTMLElement | null) => {
      if (isChosen) one?.scrollIntoView({ block: 'nearest' })
    },
    [isChosen],
  )
  return (
    <blockquote className="source" data-chosen={isChosen} ref={show}>
      <p>
        <Marked text={source.text} ranges={source.sentences} />
      </p>
      <footer className="small">
        <Link href={placeOf(domainName, source)}>{source.title || words.openInMemory}</Link>
        {source.page !== null && (
          <>
            , <Link href={`${placeOf(domainName, source)}&page=${source.page}`}>{words.page(source.page)}</Link>
          </>
        )}
        <span className="quiet">, {dayOf(source.start_time_utc)}</span>
      </footer>
    </blockquote>
  )
}

// Its document, at the sentences that were used.
function placeOf(domainName: string, { document_id, start, end, sentences }: Source): string {
  const ranges = sentences.map((range) => ({ start: start + range.start, end: start + range.end }))
  return `/p/${domainName}/documents/${document_id}?${marksIn(ranges.length > 0 ? ranges : [{ start, end }])}`
}

function Marked({ text, ranges }: { text: string; ranges: Source['sentences'] }) {
  const sorted = [...ranges].sort((a, b) => a.start - b.start)
  let at = 0
  return (
    <>
      {sorted.map(({ start, end }) => {
        const before = text.slice(at, start)
        at = Math.max(at, end)
        return (
          <span key={start}>
            {before}
            <mark>{text.slice(start, end)}</mark>
          </span>
        )
      })}
      {text.slice(at)}
    </>
  )
}

function Making({ reply }: { reply: Explained }) {
  const steps = Object.entries(reply.timings)
  return (
    <details className="small">
      <summary>{words.howItWasMade}</summary>
      <dl className="facts">
        <dt>{words.answeredBy}</dt>
        <dd>{reply.model ?? (reply.answered_by === 'memory' ? words.memoryAlone : reply.answered_by)}</dd>
        <dt>{words.took}</dt>
        <dd className="figures">{milliseconds(reply.took_ms)}</dd>
        {reply.spent && (
          <>
            <dt>{words.spent}</dt>
            <dd>
              <SpentOn spent={reply.spent} />
            </dd>
          </>
        )}
        {steps.map(([step, ms]) => (
          <div key={step} className="fact">
            <dt>{step}</dt>
            <dd className="figures">{milliseconds(ms)}</dd>
          </div>
        ))}
      </dl>
      {reply.prompt !== null && <pre tabIndex={0}>{reply.prompt}</pre>}
    </details>
  )
}
