// What can be done with several documents at once: one after the other, with a word about each that refused.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { admin, type DocumentSummary } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { Wrong } from './small.tsx'
import { useSay } from './toast.tsx'

type Act = { did: (documents: string) => string; act: (id: string, document: DocumentSummary) => Promise<unknown> }
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
      say(did(words.documentsCounted(chosen.length)))
      onDone()
    },
    onSettled: () => setAsked(undefined),
  })
  const at = (id: string) => ({ domain_name: domainName, id })
  const drafts = chosen.filter((one) => one.is_draft).length
  const failed = chosen.filter((one) => one.state === 'failed').length
  return (
    <div className="chosen" role="toolbar" aria-label={words.whatIsChosen}>
      <b>{words.chosen(words.documentsCounted(chosen.length))}</b>
      <span className="row">
        {drafts > 0 && (
          <button
            type="button"
            className="button tiny"
            disabled={isPending}
            onClick={() => mutate({ did: words.werePublished, act: (id) => admin.publishDocument(at(id)) })}
          >
            {words.publish}
          </button>
        )}
        {failed > 0 && (
          <button
            type="button"
            className="button tiny"
            disabled={isPending}
            onClick={() => mutate({ did: words.areTriedAgain, act: (id) => admin.retryDocument(at(id)) })}
          >
            {words.retry}
          </button>
        )}
        <button type="button" className="button tiny" disabled={isPending} onClick={() => setAsked('tag')}>
          {words.tag}
        </button>
        <button type="button" className="button danger tiny" disabled={isPending} onClick={() => setAsked('delete')}>
          {words.delete}
        </button>
        <button type="button" className="button plain tiny" onClick={onDone}>
          {words.chooseNone}
        </button>
      </span>
      <Wrong error={error} />
      {asked === 'tag' && (
        <Tagging
          isOff={isPending}
          onClose={() => setAsked(undefined)}
          onTag={(added) =>
            mutate({
              did: words.wereTagged,
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
          onDelete={() => mutate({ did: words.wereDeleted, act: (id) => admin.deleteDocument(at(id)) })}
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
    <Dialog title={words.whatAreTheyAbout} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.tags} hint={words.tagsAreAdded}>
          <input className="input" name="tags" required />
        </Field>
        <FormEnd does={words.add} onBack={onClose} error={null} isOff={isOff} />
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
    <Dialog title={words.deleteAsk(words.documentsCounted(amount))} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{words.allThatWasLearned}</p>
        <FormEnd does={words.deleteAll} onBack={onClose} error={null} isOff={isOff} back={words.keep} tone="danger" />
      </form>
    </Dialog>
  )
}
