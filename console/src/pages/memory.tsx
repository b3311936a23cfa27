// The stack of memories along their own time, and what a question would bring up from it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { admin, type Persona, type Recollection, type TimelineMemory } from '../api/admin.ts'
import { usePaged } from '../api/queries.ts'
import { remember } from '../api/service.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { MemoryCard } from '../parts/memory-card.tsx'
import { useAfterPause } from '../parts/pause.ts'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { dayOf, monthOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'

export function MemoryPage({ persona }: { persona: Persona }) {
  const [question, setQuestion] = useState('')
  const [isNew, setNew] = useState(false)
  const asked = useAfterPause(question).trim()
  return (
    <div className="narrow">
      <PageHead
        title="Memory"
        actions={
          <button type="button" className="button main" onClick={() => setNew(true)}>
            <Icon name="plus" /> Add a memory
          </button>
        }
      >
        Everything {persona.name} can recall, by the time it speaks of.
      </PageHead>
      <div className="search">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label="Search memory the way a question does"
          placeholder="Ask as people would: what comes to mind?"
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
  const [until, setUntil] = useState('')
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'timeline', until],
    async (before) => {
      const end = until === '' ? undefined : `${until}T23:59:59.999Z`
      const { memories, next } = await admin.timeline({ domain_name: domainName, before, until: end })
      return { items: memories, next }
    },
  )
  if (error) return <Wrong error={error} />
  if (!data) return <Skeleton lines={6} />
  if (items.length === 0 && until === '') {
    return (
      <Empty
        title="Nothing is remembered yet"
        actions={
          <>
            <button type="button" className="button main" onClick={onAdd}>
              Add a memory
            </button>
            <Link className="button" href={`/p/${domainName}/documents`}>
              Add documents
            </Link>
          </>
        }
      >
        A memory is a sentence or two with a time: “The kiln was rebuilt in May 2019.” Documents are cut into memories
        when they are learned.
      </Empty>
    )
  }
  return (
    <>
      <label className="row small quiet timeline-until">
        Up to
        <input className="input" type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
      </label>
      {items.length === 0 && <p className="quiet">Nothing is remembered up to that day.</p>}
      <ol className="timeline">
        {monthsOf(items).map(([month, memories]) => (
          <li key={month}>
            <h2>{month}</h2>
            <ol className="stack">
              {memories.map((memory) => (
                <li key={memory.id}>
                  <MemoryCard domainName={domainName} memory={memory} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" className="button" onClick={() => fetchNextPage()}>
          Further back
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
    return <Empty title="Nothing comes to mind">No memory has to do with that.</Empty>
  const best = Math.max(...data.recollections.map((one) => one.score), 0.01)
  return (
    <ol className="stack recalled" aria-label="What the question brings up, best first">
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
      <span className="figures quiet">{recollection.score.toFixed(2)}</span>
    </div>
    <p className="memory-text">{recollection.text}</p>
    <div className="bar" aria-hidden="true">
      <i style={{ width: `${Math.max(2, share * 100)}%` }} />
    </div>
    <dl className="parts-line small quiet">
      {Object.entries(recollection.parts).map(([part, value]) => (
        <div key={part}>
          <dt>{part}</dt>
          <dd className="figures">{value.toFixed(2)}</dd>
        </div>
      ))}
    </dl>
  </>
)

function NewMemory({ domainName, onClose }: { domainName: string; onClose: () => void }) {
  const say = useSay()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ text, time, tags }: { text: string; time: string; tags: string }) =>
      remember(domainName, text, time === '' ? '' : new Date(time).toISOString(), tags),
    onSuccess: () => {
      say('Remembered.')
      queries.invalidateQueries({ queryKey: [domainName, 'timeline'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    mutate({ text: String(form.get('text')), time: String(form.get('time')), tags: String(form.get('tags')) })
  }
  return (
    <Dialog title="Add a memory" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="What happened, or what is true">
          <textarea
            className="input serif"
            name="text"
            required
            placeholder="My cat is called Turing. He is nine years old."
          />
        </Field>
        <div className="row two">
          <Field label="When" hint="Empty: now.">
            <input className="input" type="datetime-local" name="time" />
          </Field>
          <Field label="Tags" hint="Separated by commas.">
            <input className="input" name="tags" placeholder="family, pets" />
          </Field>
        </div>
        <FormEnd does="Remember" onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}
