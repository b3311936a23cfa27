// What is to be followed: its address, what it is, and how often it is looked at.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { admin } from '../api/admin.ts'
import { followingWords } from '../words/following.ts'
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
      say(followingWords.followed)
      queries.invalidateQueries({ queryKey: [domainName, 'sources'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={followingWords.follow} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={followingWords.address} hint={followingWords.addressHint}>
          <input className="input" name="url" type="url" placeholder="https://…" maxLength={2_000} required />
        </Field>
        <Field label={followingWords.whatIsIt}>
          <select className="input" name="kind">
            <option value="">{followingWords.asFound}</option>
            {Object.entries(followingWords.kinds).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field label={followingWords.howOften}>
          <select className="input" name="every">
            <option value="">{followingWords.usual}</option>
            {Object.entries(followingWords.everyOptions).map(([every, label]) => (
              <option key={every} value={every}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <FormEnd does={followingWords.follow} onBack={onClose} error={save.error} isOff={save.isPending} />
      </form>
    </Dialog>
  )
}
