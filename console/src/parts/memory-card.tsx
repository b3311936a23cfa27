// One memory on the timeline: where it comes from, changed and deleted in place.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { admin, type TimelineMemory } from '../api/admin.ts'
import { replaceText } from '../api/service.ts'
import { FormEnd } from './field.tsx'
import { Icon } from './icon.tsx'
import { Skeleton, Wrong } from './small.tsx'
import { momentOf } from './times.ts'
import { useSay } from './toast.tsx'

export function MemoryCard({ domainName, memory }: { domainName: string; memory: TimelineMemory }) {
  const [shown, setShown] = useState<'text' | 'edit' | 'delete'>('text')
  const isPlain = memory.kind === 'memory'
  const place = `/p/${domainName}/documents/${memory.document_id}?start=${memory.start}&end=${memory.end}`
  return (
    <article className="card memory">
      {shown === 'edit' ? (
        <EditMemory domainName={domainName} memory={memory} onDone={() => setShown('text')} />
      ) : (
        <p className="memory-text">
          {memory.speaker && <b>{memory.speaker}: </b>}
          {memory.text}
        </p>
      )}
      <div className="row apart">
        <span className="small quiet">
          {momentOf(memory.start_time_utc)}
          {!isPlain && (
            <>
              {', '}
              <Link href={place}>
                {memory.title || 'its document'}
                {memory.page !== null && `, page ${memory.page}`}
              </Link>
            </>
          )}{' '}
          {memory.topics.map((topic) => (
            <span key={topic} className="tag">
              {topic}
            </span>
          ))}{' '}
          {memory.is_draft && <span className="tag draft">draft</span>}
        </span>
        {shown === 'text' && (
          <span className="row memory-actions">
            {isPlain && (
              <button
                type="button"
                className="button plain icon tiny"
                aria-label="Edit this memory"
                onClick={() => setShown('edit')}
              >
                <Icon name="edit" size={16} />
              </button>
            )}
            <button
              type="button"
              className="button plain icon tiny"
              aria-label="Delete this memory"
              onClick={() => setShown('delete')}
            >
              <Icon name="trash" size={16} />
            </button>
          </span>
        )}
      </div>
      {shown === 'delete' && <DeleteMemory domainName={domainName} memory={memory} onKeep={() => setShown('text')} />}
    </article>
  )
}

function EditMemory({
  domainName,
  memory,
  onDone,
}: {
  domainName: string
  memory: TimelineMemory
  onDone: () => void
}) {
  const id = memory.document_id
  const queries = useQueryClient()
  const say = useSay()
  const [changed, setChanged] = useState<string>()
  // A long memory is several passages; all of it is changed at once.
  const { data } = useQuery({
    queryKey: [domainName, 'document', id],
    queryFn: () => admin.getDocument({ domain_name: domainName, id }),
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: (text: string) => replaceText(domainName, id, text),
    onSuccess: () => {
      say('Saved.')
      queries.invalidateQueries({ queryKey: [domainName] })
      onDone()
    },
  })
  if (!data) return <Skeleton lines={2} />
  const text = changed ?? data.text
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(text)
      }}
    >
      <textarea
        className="input serif"
        aria-label="Memory"
        value={text}
        onChange={(event) => setChanged(event.target.value)}
        required
      />
      <FormEnd does="Save" onBack={onDone} error={error} isOff={isPending} isTiny />
    </form>
  )
}

function DeleteMemory({
  domainName,
  memory,
  onKeep,
}: {
  domainName: string
  memory: TimelineMemory
  onKeep: () => void
}) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => admin.deleteMemory({ domain_name: domainName, id: memory.id }),
    onSuccess: () => {
      say('Forgotten.')
      queries.invalidateQueries({ queryKey: [domainName, 'timeline'] })
    },
  })
  return (
    <div className="stack">
      <p className="small">
        {memory.kind === 'memory'
          ? 'It will not be recalled any more.'
          : 'This passage will not be recalled any more; the document’s own text still holds it.'}
      </p>
      <Wrong error={error} />
      <div className="row end">
        <button type="button" className="button tiny" onClick={onKeep}>
          Keep
        </button>
        <button type="button" className="button danger tiny" onClick={() => mutate()} disabled={isPending}>
          Delete
        </button>
      </div>
    </div>
  )
}
