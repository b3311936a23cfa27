// Who is signed in: their name, their password, and the devices on which they are; on a phone also the way to everything
// of the service.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { admin, type Me } from '../api/admin.ts'
import { session } from '../api/call.ts'
import { useMe } from '../api/queries.ts'
import { Devices } from '../parts/devices.tsx'
import { Field, NewPassword } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notices } from '../parts/notices.tsx'
import { Passkeys } from '../parts/passkeys.tsx'
import { roleNames } from '../parts/role-fields.tsx'
import { Skeleton, Wrong } from '../parts/small.tsx'
import { useSay } from '../parts/toast.tsx'
import { PageHead, ServiceLinks } from '../shell.tsx'
import { words } from '../words/words.ts'

export function You() {
  const { data: me, error } = useMe()
  const [path] = useLocation()
  useEffect(() => {
    document.title = `${words.you} · Memoir`
  }, [])
  return (
    <div className="narrow">
      <PageHead
        title={words.you}
        actions={
          <button type="button" className="button" onClick={session.close}>
            <Icon name="out" /> {words.signOut}
          </button>
        }
      >
        {me && (me.is_person ? `${me.email}, ${roleNames[me.role]}` : words.signedInWithAdminKey)}
      </PageHead>
      <nav className="only-small" aria-label={words.serviceSmallScreen}>
        <ServiceLinks path={path} />
      </nav>
      <Wrong error={error} />
      {!me && !error && <Skeleton lines={6} />}
      {me && !me.is_person && <p className="card">{words.adminKeyIsForRescue}</p>}
      {me?.is_person && (
        <>
          <Name me={me} />
          <hr />
          <Password me={me} />
          <hr />
          <Passkeys />
          <hr />
          <Notices />
          <hr />
        </>
      )}
      {me && <Devices />}
    </div>
  )
}

function Name({ me }: { me: Me }) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => admin.changeMe({ name }),
    onSuccess: (changed) => {
      say(words.saved)
      queries.setQueryData(['me'], changed)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={words.name}>
        <input className="input" name="name" defaultValue={me.name} maxLength={256} autoComplete="name" required />
      </Field>
      <Wrong error={error} />
      <div>
        <button type="submit" className="button" disabled={isPending}>
          {words.saveName}
        </button>
      </div>
    </form>
  )
}

function Password({ me }: { me: Me }) {
  const queries = useQueryClient()
  const say = useSay()
  const form = useRef<HTMLFormElement>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: admin.changePassword,
    onSuccess: ({ ended }) => {
      say(words.passwordIsChanged(ended))
      form.current?.reset()
      queries.invalidateQueries({ queryKey: ['sign-ins'] })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    mutate({ old_password: String(fields.get('old') ?? ''), password: String(fields.get('password')) })
  }
  return (
    <form className="stack" onSubmit={submit} ref={form}>
      <h2>{words.password}</h2>
      <input type="hidden" autoComplete="username" value={me.email ?? ''} readOnly />
      {me.has_password && (
        <Field label={words.passwordUntilNow}>
          <input className="input" name="old" type="password" autoComplete="current-password" required />
        </Field>
      )}
      <NewPassword label={words.newPassword} hint={words.aboutNewPassword} />
      <Wrong error={error} />
      <div>
        <button type="submit" className="button" disabled={isPending}>
          {words.changePassword}
        </button>
      </div>
    </form>
  )
}
