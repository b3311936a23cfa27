// One memory on the timeline: where it comes from, changed and deleted in place.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { admin, type TimelineMemory } from '../api/admin.ts'
import { replaceText } from '../api/service.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { type MemoryFields, MemoryForm } from './memory-form.tsx'
import { Wrong } from './small.tsx'
import { momentOf } from './times.ts'
import { useSay } from './toast.tsx'

// `isTheirs`: who looks at it may change it.
type CardOf = { domainName: string; memory: TimelineMemory; isTheirs: boolean }

// Of a long diary only what changed is drawn again, and a card listens to nothing.
export const MemoryCard = memo(({ domainName, memory, isTheirs }: CardOf) => {
  const [shown, setShown] = useState<'text' | 'edit' | 'delete'>('text')
  const isPlain = memory.kind === 'memory'
  const place = `/p/${domainName}/documents/${memory.document_id}?start=${memory.start}&end=${memory.end}`
  return (
    <article className="card memory">
      <p className="memory-text">
        {memory.speaker && <b>{memory.speaker}: </b>}
        {memory.text}
      </p>
      <div className="row apart">
        <span className="small quiet">
          {momentOf(memory.start_time_utc)}
          {isPlain && memory.source_name !== 'console' && `, ${memory.source_name}`}
          {!isPlain && (
            <>
              {', '}
              <Link href={place}>{memory.title || words.itsDocument}</Link>
              {memory.page !== null && (
                <>
                  , <Link href={`${place}&page=${memory.page}`}>{words.page(memory.page)}</Link>
                </>
              )}
            </>
          )}{' '}
          {memory.topics.map((topic) => (
            <span key={topic} className="tag">
              {topic}
            </span>
          ))}{' '}
          {memory.is_draft && <span className="tag draft">{words.draft}</span>}
        </span>
        {shown === 'text' && isTheirs && (
          <span className="row memory-actions">
            {isPlain && (
              <button
                type="button"
                className="button plain icon tiny"
                aria-label={words.editThisMemory}
                onClick={() => setShown('edit')}
              >
                <Icon name="edit" size={16} />
              </button>
            )}
            <button
              type="button"
              className="button plain icon tiny"
              aria-label={words.deleteThisMemory}
              onClick={() => setShown('delete')}
            >
              <Icon name="trash" size={16} />
            </button>
          </span>
        )}
      </div>
      {shown === 'edit' && <EditMemory domainName={domainName} memory={memory} onDone={() => setShown('text')} />}
      {shown === 'delete' && <DeleteMemory domainName={domainName} memory={memory} onKeep={() => setShown('text')} />}
    </article>
  )
})

type EditOf = { domainName: string; memory: TimelineMemory; onDone: () => void }

function EditMemory({ domainName, memory, onDone }: EditOf) {
  const id = memory.document_id
  const queries = useQueryClient()
  const say = useSay()
  // A long memory is several passages; all of it is changed at once.
  const { data } = useQuery({
    queryKey: [domainName, 'document', id],
    queryFn: () => admin.getDocument({ domain_name: domainName, id }),
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ text, time, tags, source }: MemoryFields) => {
      const isMoved = Math.abs(Date.parse(time) - Date.parse(data!.start_time_utc)) >= 60_000 // the field knows minutes
      await admin.changeDocument({
        domain_name: domainName,
        id,
        tags,
        source_name: source,
        ...(isMoved && { start_time: time }),
      })
      if (text !== data!.text) await replaceText(domainName, id, text)
    },
    onSuccess: () => {
      say(words.saved)
      queries.invalidateQueries({ queryKey: [domainName] })
      onDone()
    },
  })
  if (!data) return null
  const { text, start_time_utc: time, tags, source_name: source } = data
  return (
    <MemoryForm
      title={words.changeAMemory}
      does={words.save}
      given={{ text, time, tags: tags.join(', '), source }}
      error={error}
      isOff={isPending}
      onSave={mutate}
      onClose={onDone}
    />
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
      say(words.forgotten)
      queries.invalidateQueries({ queryKey: [domainName, 'timeline'] })
    },
  })
  return (
    <div className="stack">
      <p className="small">{memory.kind === 'memory' ? words.notRecalledAnyMore : words.passageNotRecalledAnyMore}</p>
      <Wrong error={error} />
      <div className="row end">
        <button type="button" className="button tiny" onClick={onKeep}>
          {words.keep}
        </button>
        <button type="button" className="button danger tiny" onClick={() => mutate()} disabled={isPending}>
          {words.delete}
        </button>
      </div>
    </div>
  )
}
