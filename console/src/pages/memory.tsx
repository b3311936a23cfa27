// The stack of memories along their own time, and what a question would bring up from it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { admin, type Persona, type Recollection, type TimelineMemory } from '../api/admin.ts'
import { useMay, usePaged } from '../api/queries.ts'
import { remember } from '../api/service.ts'
import { isNarrowed, queryOf, useFilter, Within } from '../parts/document-filter.tsx'
import { Icon } from '../parts/icon.tsx'
import { LongList } from '../parts/long-list.tsx'
import { May } from '../parts/may.tsx'
import { MemoryCard } from '../parts/memory-card.tsx'
import { type MemoryFields, MemoryForm } from '../parts/memory-form.tsx'
import { useAfterPause } from '../parts/pause.ts'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { dayOf, decimals, monthOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function MemoryPage({ persona }: { persona: Persona }) {
  const [question, setQuestion] = useState('')
  const [isNew, setNew] = useState(false)
  const asked = useAfterPause(question).trim()
  return (
    <div className="narrow">
      <PageHead
        title={words.memory}
        actions={
          <May right="manage">
            <button type="button" className="button main" onClick={() => setNew(true)}>
              <Icon name="plus" /> {words.addAMemory}
            </button>
          </May>
        }
      >
        {words.aboutMemory(persona.name)}
      </PageHead>
      <div className="search">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label={words.searchMemory}
          placeholder={words.askAsPeopleWould}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
      </div>
      {asked === '' ? (
        <Timeline domainName={persona.domain_name} onAdd={() => setNew(true)} />
      ) : (
        <Recalled domainName={persona.domain_name} question={asked} />
      )}
      {isNew && <NewMemory domainName={persona.domain_name} onClose={() => setNew(false)} />}
    </div>
  )
}

function Timeline({ domainName, onAdd }: { domainName: string; onAdd: () => void }) {
  const { filter, settled, change } = useFilter()
  const [isWhole, setWhole] = useState(false)
  const isTheirs = useMay('manage')
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'timeline', isWhole, settled],
    async (before) => {
      const { tag, source, since, until } = queryOf(settled)
      const kind = isWhole ? undefined : ('memory' as const)
      const within = { kind, tag, source, since, until }
      const { memories, next } = await admin.timeline({ domain_name: domainName, before, ...within })
      return { items: memories, next }
    },
  )
  const months = useMemo(() => monthsOf(data?.pages.flatMap((page) => page.items) ?? []), [data])
  const row = useCallback(
    (memory: TimelineMemory) => (
      <li key={memory.id}>
        <MemoryCard domainName={domainName} memory={memory} isTheirs={isTheirs} />
      </li>
    ),
    [domainName, isTheirs],
  )
  const isAll = isWhole && !isNarrowed(filter)
  if (error) return <Wrong error={error} />
  if (!data) return <Skeleton lines={6} />
  if (items.length === 0 && isAll) {
    return (
      <Empty
        title={words.nothingIsRememberedYet}
        actions={
          <May right="manage">
            <button type="button" className="button main" onClick={onAdd}>
              {words.addAMemory}
            </button>
            <Link className="button" href={`/p/${domainName}/documents`}>
              {words.addDocuments}
            </Link>
          </May>
        }
      >
        {words.whatAMemoryIs}
      </Empty>
    )
  }
  return (
    <>
      <div className="filter stack small">
        <label className="choice">
          <input type="checkbox" checked={isWhole} onChange={(event) => setWhole(event.target.checked)} />{' '}
          {words.withPassagesOfDocuments}
        </label>
        <details>
          <summary>{words.tagSourceAndTime}</summary>
          <Within filter={filter} onChange={change} />
        </details>
      </div>
      {items.length === 0 && (
        <p className="quiet">{isNarrowed(filter) ? words.nothingRememberedIsLikeThat : words.noMemoryWasAdded}</p>
      )}
      <ol className="timeline">
        {months.map(([month, memories]) => (
          <li key={month}>
            <h2>{month}</h2>
            <LongList items={memories} row={row} rowHeight={8} className="stack" />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" className="button" onClick={() => fetchNextPage()}>
          {words.furtherBack}
        </button>
      )}
    </>
  )
}

function monthsOf(memories: TimelineMemory[]): [string, TimelineMemory[]][] {
  const months = Map.groupBy(memories, (memory) => monthOf(memory.start_time_utc))
  return [...months]
}

function Recalled({ domainName, question }: { domainName: string; question: string }) {
  const { data, error } = useQuery({
    queryKey: [domainName, 'recall', question],
    queryFn: () => admin.recall({ domain_name: domainName, question, size: 12 }),
    placeholderData: (before) => before,
  })
  if (error) return <Wrong error={error} />
  if (!data) return <Skeleton lines={6} />
  if (data.recollections.length === 0)
    return <Empty title={words.nothingComesToMind}>{words.noMemoryHasToDoWithThat}</Empty>
  const best = Math.max(...data.recollections.map((one) => one.score), 0.01)
  return (
    <ol className="stack recalled" aria-label={words.whatTheQuestionBringsUp}>
      {data.recollections.map((one, at) => (
        <li key={one.memory_id} className="card">
          <RecollectionView domainName={domainName} recollection={one} rank={at + 1} share={one.score / best} />
        </li>
      ))}
    </ol>
  )
}

type RecollectionOf = { domainName: string; recollection: Recollection; rank: number; share: number }

const RecollectionView = ({ domainName, recollection, rank, share }: RecollectionOf) => (
  <>
    <div className="row apart small">
      <span className="quiet">
        <b className="rank">{rank}</b> {dayOf(recollection.start_time_utc)}
        {recollection.title && (
          <>
            {', '}
            <Link href={`/p/${domainName}/documents/${recollection.document_id}`}>{recollection.title}</Link>
          </>
        )}
      </span>
      <span className="figures quiet">{decimals(recollection.score, 2)}</span>
    </div>
    <p className="memory-text">{recollection.text}</p>
    <div className="bar" aria-hidden="true">
      <i style={{ width: `${Math.max(2, share * 100)}%` }} />
    </div>
    <dl className="parts-line small quiet">
      {Object.entries(recollection.parts).map(([part, value]) => (
        <div key={part}>
          <dt>{part}</dt>
          <dd className="figures">{decimals(value, 2)}</dd>
        </div>
      ))}
    </dl>
  </>
)

function NewMemory({ domainName, onClose }: { domainName: string; onClose: () => void }) {
  const say = useSay()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ text, time, tags, source }: MemoryFields) => remember(domainName, text, time, tags, source),
    onSuccess: () => {
      say(words.remembered)
      queries.invalidateQueries({ queryKey: [domainName, 'timeline'] })
      onClose()
    },
  })
  return (
    <MemoryForm
      title={words.addAMemory}
      does={words.remember}
      error={error}
      isOff={isPending}
      onSave={mutate}
      onClose={onClose}
    />
  )
}
