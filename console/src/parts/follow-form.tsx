// What is to be followed: its address, what it is, and how often it is looked at.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { admin } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { useSay } from './toast.tsx'

export function FollowForm({ domainName, onClose }: { domainName: string; onClose: () => void }) {
  const say = useSay()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (form: FormData) =>
      admin.createSource({
        domain_name: domainName,
        url: String(form.get('url')).trim(),
        kind: (form.get('kind') || undefined) as 'feed' | 'site' | undefined,
        every: String(form.get('every') || '') || undefined,
      }),
    onSuccess: () => {
      say(words.follow.followed)
      queries.invalidateQueries({ queryKey: [domainName, 'sources'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={words.follow.follow} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.follow.address} hint={words.follow.addressHint}>
          <input className="input" name="url" type="url" placeholder="https://…" maxLength={2_000} required />
        </Field>
        <Field label={words.follow.whatIsIt}>
          <select className="input" name="kind">
            <option value="">{words.follow.asFound}</option>
            {Object.entries(words.follow.kinds).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.follow.howOften}>
          <select className="input" name="every">
            <option value="">{words.follow.usual}</option>
            {Object.entries(words.follow.everyOptions).map(([every, label]) => (
              <option key={every} value={every}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <FormEnd does={words.follow.follow} onBack={onClose} error={save.error} isOff={save.isPending} />
      </form>
    </Dialog>
  )
}
