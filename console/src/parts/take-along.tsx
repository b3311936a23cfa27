// What the owner takes out of a persona: all of it, or what one caller said, which can also be deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { admin, type Persona } from '../api/admin.ts'
import { takeCaller, takePersona, type WhichCaller } from '../api/files.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { Icon } from './icon.tsx'
import { Wrong } from './small.tsx'
import { sizeOf } from './times.ts'
import { useSay } from './toast.tsx'

export function TakeAlong({ persona }: { persona: Persona }) {
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => takePersona(persona.domain_name),
    onSuccess: (bytes) => say(words.downloaded(sizeOf(bytes))),
  })
  return (
    <section className="stack narrow">
      <h2>{words.takeAlong}</h2>
      <p className="quiet">{words.aboutTakingAlong(persona.name)}</p>
      <Wrong error={error} />
      <div>
        <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
          <Icon name="down" /> {isPending ? words.exporting : words.export}
        </button>
      </div>
      <OneCaller persona={persona} />
    </section>
  )
}

function OneCaller({ persona }: { persona: Persona }) {
  const say = useSay()
  const [by, setBy] = useState<'user_name' | 'session_id'>('user_name')
  const [named, setNamed] = useState('')
  const [isAsked, setAsked] = useState(false)
  const caller = { [by]: named } as WhichCaller
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => takeCaller(persona.domain_name, caller),
    onSuccess: (bytes) => say(words.downloaded(sizeOf(bytes))),
  })
  return (
    <>
      <div className="row two">
        <Field label={words.whatOneCallerSaid}>
          <input className="input" value={named} maxLength={256} onChange={(event) => setNamed(event.target.value)} />
        </Field>
        <Field label={words.foundBy}>
          <select className="input" value={by} onChange={(event) => setBy(event.target.value as typeof by)}>
            <option value="user_name">UserName</option>
            <option value="session_id">SessionId</option>
          </select>
        </Field>
      </div>
      <Wrong error={error} />
      <div className="row">
        <button type="button" className="button" disabled={isPending || named === ''} onClick={() => mutate()}>
          <Icon name="down" /> {words.exportTheirSessions}
        </button>
        <button type="button" className="button danger" disabled={named === ''} onClick={() => setAsked(true)}>
          {words.deleteTheirSessions}
        </button>
      </div>
      {isAsked && <DeleteCaller persona={persona} caller={caller} named={named} onClose={() => setAsked(false)} />}
    </>
  )
}

type DeleteCallerOf = { persona: Persona; caller: WhichCaller; named: string; onClose: () => void }

function DeleteCaller({ persona, caller, named, onClose }: DeleteCallerOf) {
  const queries = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => admin.deleteCaller({ domain_name: persona.domain_name, ...caller }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [persona.domain_name] }),
  })
  if (data) {
    const { sessions, messages, replies, drafts } = data.deleted
    return (
      <Dialog title={words.deleted} onClose={onClose}>
        <p>
          {words.callerDeleted(
            words.sessionsCounted(sessions),
            words.messagesCounted(messages),
            words.repliesCounted(replies),
            words.draftsCounted(drafts),
            data.deleted_at,
          )}
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog title={words.deleteWhatSaid(named)} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="quiet">{words.theirSessionsGoWith(persona.name)}</p>
        <FormEnd does={words.delete} tone="danger" onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}
