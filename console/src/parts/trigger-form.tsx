// A trigger as its owner writes it: a name, an address, what it is told. New, or changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { admin, type Trigger } from '../api/admin.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { ShownOnce } from './shown-once.tsx'

type EventType = Trigger['on'][number]

export const events: [EventType, string][] = [
  ['message.received', 'A message came in'],
  ['reply.sent', 'It was answered'],
  ['reply.withheld', 'The reply was withheld'],
  ['draft.created', 'A draft waits for you'],
  ['draft.settled', 'A draft was settled'],
  ['memory.created', 'A memory was learned'],
  ['document.ready', 'A document was learned'],
  ['document.failed', 'A document could not be learned'],
]

type FormOf = { domainName: string; trigger?: Trigger | undefined; onClose: () => void }

export function TriggerForm({ domainName, trigger, onClose }: FormOf) {
  const queries = useQueryClient()
  const [isAll, setAll] = useState(!trigger || trigger.source === '*')
  const save = useMutation({
    mutationFn: async (fields: { name: string; source: string; on: EventType[]; deliver: { url: string } }) => {
      if (!trigger) return (await admin.createTrigger({ domain_name: domainName, ...fields })).secret
      await admin.changeTrigger({ domain_name: domainName, id: trigger.id, ...fields })
      return undefined
    },
    onSuccess: (secret) => {
      queries.invalidateQueries({ queryKey: [domainName, 'triggers'] })
      if (!secret) onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    save.mutate({
      name: String(form.get('name')),
      source: isAll ? '*' : String(form.get('source')),
      on: form.getAll('on') as EventType[],
      deliver: { url: String(form.get('url')).trim() },
    })
  }
  if (save.data) return <TriggerSecret secret={save.data} onClose={onClose} />
  return (
    <Dialog title={trigger ? `Change ${trigger.name}` : 'New trigger'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name">
          <input
            className="input"
            name="name"
            defaultValue={trigger?.name}
            maxLength={256}
            required
            placeholder="Which program is told?"
          />
        </Field>
        <Field label="Address" hint="Events are posted to it as JSON, signed. It must be on the public internet.">
          <input
            className="input"
            name="url"
            type="url"
            defaultValue={trigger?.deliver.url}
            required
            placeholder="https://…"
          />
        </Field>
        <fieldset>
          <legend className="field-label">When</legend>
          <div className="row">
            {events.map(([type, label]) => (
              <label key={type} className="choice">
                <input type="checkbox" name="on" value={type} defaultChecked={trigger?.on.includes(type) ?? false} />{' '}
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend className="field-label">From</legend>
          <div className="row">
            <label className="choice">
              <input type="radio" name="which" checked={isAll} onChange={() => setAll(true)} /> Everywhere
            </label>
            <label className="choice">
              <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} /> One SourceName only
            </label>
          </div>
        </fieldset>
        {!isAll && (
          <Field label="SourceName" hint="As messages and uploads carry it; upper and lower case are the same.">
            <input
              className="input"
              name="source"
              defaultValue={trigger && trigger.source !== '*' ? trigger.source : ''}
              maxLength={256}
              required
            />
          </Field>
        )}
        <FormEnd does={trigger ? 'Save' : 'Create'} onBack={onClose} error={save.error} isOff={save.isPending} />
      </form>
    </Dialog>
  )
}

export const TriggerSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnce title="The secret" label="secret" text={secret} onClose={onClose}>
    Copy it now: it is shown this once. With it the receiver verifies that a delivery comes from here.
  </ShownOnce>
)
