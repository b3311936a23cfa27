// A trigger as its owner writes it: a name, an address, what it is told. New, or changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { admin, type Trigger } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { ShownOnce } from './shown-once.tsx'

type EventType = Trigger['on'][number]

export const events = Object.entries(words.events) as [EventType, string][]

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
    <Dialog title={trigger ? words.changeIt(trigger.name) : words.newTrigger} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.name}>
          <input
            className="input"
            name="name"
            defaultValue={trigger?.name}
            maxLength={256}
            required
            placeholder={words.whichProgramIsTold}
          />
        </Field>
        <Field label={words.address} hint={words.eventsArePosted}>
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
          <legend className="field-label">{words.when}</legend>
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
          <legend className="field-label">{words.from}</legend>
          <div className="row">
            <label className="choice">
              <input type="radio" name="which" checked={isAll} onChange={() => setAll(true)} /> {words.everywhere}
            </label>
            <label className="choice">
              <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} />{' '}
              {words.oneSourceNameOnly}
            </label>
          </div>
        </fieldset>
        {!isAll && (
          <Field label="SourceName" hint={words.asMessagesCarryIt}>
            <input
              className="input"
              name="source"
              defaultValue={trigger && trigger.source !== '*' ? trigger.source : ''}
              maxLength={256}
              required
            />
          </Field>
        )}
        <FormEnd
          does={trigger ? words.save : words.create}
          onBack={onClose}
          error={save.error}
          isOff={save.isPending}
        />
      </form>
    </Dialog>
  )
}

export const TriggerSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnce title={words.theSecret} label={words.secret} text={secret} onClose={onClose}>
    {words.copySecretNow}
  </ShownOnce>
)
