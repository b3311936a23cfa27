// What the owner takes out of a persona: all of it, or what one caller said, which can also be deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { admin, type Persona } from '../api/admin.ts'
import { takeCaller, takePersona, type WhichCaller } from '../api/files.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { Icon } from './icon.tsx'
import { Wrong } from './small.tsx'
import { counted, sizeOf } from './times.ts'
import { useSay } from './toast.tsx'

export function TakeAlong({ persona }: { persona: Persona }) {
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => takePersona(persona.domain_name),
    onSuccess: (bytes) => say(`Downloaded: ${sizeOf(bytes)}.`),
  })
  return (
    <section className="stack narrow">
      <h2>Take along</h2>
      <p className="quiet">
        Everything {persona.name} has, as a zip of readable lines: documents with their files, memories, conversations,
        settings. Import brings it back, here or in another Memoir.
      </p>
      <Wrong error={error} />
      <div>
        <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
          <Icon name="down" /> {isPending ? 'Exporting…' : 'Export'}
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
    onSuccess: (bytes) => say(`Downloaded: ${sizeOf(bytes)}.`),
  })
  return (
    <>
      <div className="row two">
        <Field label="What one caller said">
          <input className="input" value={named} maxLength={256} onChange={(event) => setNamed(event.target.value)} />
        </Field>
        <Field label="Found by">
          <select className="input" value={by} onChange={(event) => setBy(event.target.value as typeof by)}>
            <option value="user_name">UserName</option>
            <option value="session_id">SessionId</option>
          </select>
        </Field>
      </div>
      <Wrong error={error} />
      <div className="row">
        <button type="button" className="button" disabled={isPending || named === ''} onClick={() => mutate()}>
          <Icon name="down" /> Export their sessions
        </button>
        <button type="button" className="button danger" disabled={named === ''} onClick={() => setAsked(true)}>
          Delete their sessions…
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
      <Dialog title="Deleted" onClose={onClose}>
        <p>
          {counted(sessions, 'session')}, {counted(messages, 'message')}, {counted(replies, 'reply', 'replies')} with
          reasons, {counted(drafts, 'draft')}, at {data.deleted_at}.
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Delete what ${named} said?`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="quiet">
          Their sessions go with all messages, replies and drafts. What {persona.name} was taught stays. There is no way
          back.
        </p>
        <FormEnd does="Delete" tone="danger" onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}
