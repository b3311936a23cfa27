// A memory as it is written down and changed: what happened, when, its tags, and where it comes from.
import type { FormEvent } from 'react'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'

export type MemoryFields = { text: string; time: string; tags: string; source: string }

type FormOf = {
  title: string
  does: string
  given?: MemoryFields
  error: unknown
  isOff: boolean
  onSave: (fields: MemoryFields) => void
  onClose: () => void
}

export function MemoryForm({ title, does, given, error, isOff, onSave, onClose }: FormOf) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name))
    const time = text('time') === '' ? '' : new Date(text('time')).toISOString()
    onSave({ text: text('text'), time, tags: text('tags'), source: text('source').trim() || 'console' })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={given ? words.memory : words.whatHappened}>
          <textarea
            className="input serif"
            name="text"
            required
            defaultValue={given?.text}
            placeholder={words.myCatIsCalled}
          />
        </Field>
        <div className="row two">
          <Field label={words.when} hint={given ? undefined : words.emptyNow}>
            <input
              className="input"
              type="datetime-local"
              name="time"
              defaultValue={given && localTime(given.time)}
              required={given !== undefined}
            />
          </Field>
          <Field label={words.tags} hint={words.separatedByCommas}>
            <input className="input" name="tags" placeholder={words.familyPets} defaultValue={given?.tags} />
          </Field>
        </div>
        <Field label={words.sourceField} hint={words.whereItComesFrom}>
          <input className="input" name="source" maxLength={256} placeholder="console" defaultValue={given?.source} />
        </Field>
        <FormEnd does={does} onBack={onClose} error={error} isOff={isOff} />
      </form>
    </Dialog>
  )
}

// As a field for a time takes it: in the zone of whoever looks.
function localTime(time: string): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
