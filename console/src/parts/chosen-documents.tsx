// What can be done with several documents at once: one after the other, with a word about each that refused.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { admin, type DocumentSummary } from '../api/admin.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { Wrong } from './small.tsx'
import { counted } from './times.ts'
import { useSay } from './toast.tsx'

type Act = { did: string; act: (id: string, document: DocumentSummary) => Promise<unknown> }
type ChosenOf = { domainName: string; chosen: DocumentSummary[]; onDone: () => void }

export function ChosenDocuments({ domainName, chosen, onDone }: ChosenOf) {
  const queries = useQueryClient()
  const say = useSay()
  const [asked, setAsked] = useState<'tag' | 'delete'>()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ did, act }: Act) => {
      const refused: string[] = []
      for (const document of chosen)
        await act(document.id, document).catch((cause: Error) => refused.push(`${document.title}: ${cause.message}`))
      queries.invalidateQueries({ queryKey: [domainName] })
      if (refused.length > 0) throw new Error(refused.join(' '))
      return did
    },
    onSuccess: (did) => {
      say(`${counted(chosen.length, 'document')} ${did}.`)
      onDone()
    },
    onSettled: () => setAsked(undefined),
  })
  const at = (id: string) => ({ domain_name: domainName, id })
  const drafts = chosen.filter((one) => one.is_draft).length
  const failed = chosen.filter((one) => one.state === 'failed').length
  return (
    <div className="chosen" role="toolbar" aria-label="What is chosen">
      <b>{counted(chosen.length, 'document')} chosen</b>
      <span className="row">
        {drafts > 0 && (
          <button
            type="button"
            className="button tiny"
            disabled={isPending}
            onClick={() => mutate({ did: 'published', act: (id) => admin.publishDocument(at(id)) })}
          >
            Publish
          </button>
        )}
        {failed > 0 && (
          <button
            type="button"
            className="button tiny"
            disabled={isPending}
            onClick={() => mutate({ did: 'tried again', act: (id) => admin.retryDocument(at(id)) })}
          >
            Retry
          </button>
        )}
        <button type="button" className="button tiny" disabled={isPending} onClick={() => setAsked('tag')}>
          Tag
        </button>
        <button type="button" className="button danger tiny" disabled={isPending} onClick={() => setAsked('delete')}>
          Delete
        </button>
        <button type="button" className="button plain tiny" onClick={onDone}>
          Choose none
        </button>
      </span>
      <Wrong error={error} />
      {asked === 'tag' && (
        <Tagging
          isOff={isPending}
          onClose={() => setAsked(undefined)}
          onTag={(added) =>
            mutate({
              did: 'tagged',
              act: (id, { tags }) => admin.changeDocument({ ...at(id), tags: [...new Set([...tags, ...added])] }),
            })
          }
        />
      )}
      {asked === 'delete' && (
        <Deleting
          isOff={isPending}
          amount={chosen.length}
          onClose={() => setAsked(undefined)}
          onDelete={() => mutate({ did: 'deleted', act: (id) => admin.deleteDocument(at(id)) })}
        />
      )}
    </div>
  )
}

type TaggingOf = { isOff: boolean; onClose: () => void; onTag: (tags: string[]) => void }

function Tagging({ isOff, onClose, onTag }: TaggingOf) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = String(new FormData(event.currentTarget).get('tags'))
    onTag(
      given
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    )
  }
  return (
    <Dialog title="What are they about?" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Tags" hint="Separated by commas. The ones they have stay.">
          <input className="input" name="tags" required />
        </Field>
        <FormEnd does="Add" onBack={onClose} error={null} isOff={isOff} />
      </form>
    </Dialog>
  )
}

type DeletingOf = { isOff: boolean; amount: number; onClose: () => void; onDelete: () => void }

function Deleting({ isOff, amount, onClose, onDelete }: DeletingOf) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDelete()
  }
  return (
    <Dialog title={`Delete ${counted(amount, 'document')}?`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>All that was learned from them goes as well. There is no way back.</p>
        <FormEnd does="Delete all" onBack={onClose} error={null} isOff={isOff} back="Keep" tone="danger" />
      </form>
    </Dialog>
  )
}
