// Who is signed in: their name, their password, and the devices on which they are; on a phone also the way to everything
// of the service.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { admin, type Me, type SignedIn } from '../api/admin.ts'
import { session } from '../api/call.ts'
import { useMe } from '../api/queries.ts'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { roleNames } from '../parts/role-fields.tsx'
import { Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, dayOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead, ServiceLinks } from '../shell.tsx'

export function You() {
  const { data: me, error } = useMe()
  const [path] = useLocation()
  useEffect(() => {
    document.title = 'You · Memoir'
  }, [])
  return (
    <div className="narrow">
      <PageHead
        title="You"
        actions={
          <button type="button" className="button" onClick={session.close}>
            <Icon name="out" /> Sign out
          </button>
        }
      >
        {me && (me.is_person ? `${me.email}, ${roleNames[me.role].toLowerCase()}` : 'Signed in with the admin key.')}
      </PageHead>
      <nav className="only-small" aria-label="Service, small screen">
        <ServiceLinks path={path} />
      </nav>
      <Wrong error={error} />
      {!me && !error && <Skeleton lines={6} />}
      {me && !me.is_person && (
        <p className="card">
          The admin key is for programs and for rescue. For every day, invite yourself as administrator on the page
          People and sign in with a password of your own.
        </p>
      )}
      {me?.is_person && (
        <>
          <Name me={me} />
          <hr />
          <Password me={me} />
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
      say('Saved.')
      queries.setQueryData(['me'], changed)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Field label="Name">
        <input className="input" name="name" defaultValue={me.name} maxLength={256} autoComplete="name" required />
      </Field>
      <Wrong error={error} />
      <div>
        <button type="submit" className="button" disabled={isPending}>
          Save name
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
      say(ended === 0 ? 'The password is changed.' : `The password is changed; ${ended} other sessions ended.`)
      form.current?.reset()
      queries.invalidateQueries({ queryKey: ['sign-ins'] })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    mutate({ old_password: String(fields.get('old') ?? ''), password: String(fields.get('new')) })
  }
  return (
    <form className="stack" onSubmit={submit} ref={form}>
      <h2>Password</h2>
      <input type="hidden" autoComplete="username" value={me.email ?? ''} readOnly />
      {me.has_password && (
        <Field label="Password until now">
          <input className="input" name="old" type="password" autoComplete="current-password" required />
        </Field>
      )}
      <Field label="New password" hint="Twelve characters at least. Every other session ends.">
        <input
          className="input"
          name="new"
          type="password"
          minLength={12}
          maxLength={256}
          autoComplete="new-password"
          required
        />
      </Field>
      <Wrong error={error} />
      <div>
        <button type="submit" className="button" disabled={isPending}>
          Change password
        </button>
      </div>
    </form>
  )
}

function Devices() {
  const queries = useQueryClient()
  const say = useSay()
  const { data, error } = useQuery({
    queryKey: ['sign-ins'],
    queryFn: async () => (await admin.listSignIns({})).sign_ins,
  })
  const stale = () => queries.invalidateQueries({ queryKey: ['sign-ins'] })
  const endOthers = useMutation({
    mutationFn: () => admin.endSignIns({}),
    onSuccess: ({ ended }) => say(ended === 1 ? 'One session ended.' : `${ended} sessions ended.`),
    onSettled: stale,
  })
  return (
    <section className="stack">
      <div className="row apart">
        <h2>Signed in</h2>
        {data && data.length > 1 && (
          <button type="button" className="button tiny" onClick={() => endOthers.mutate()}>
            End all others
          </button>
        )}
      </div>
      <Wrong error={error ?? endOthers.error} />
      {!data && !error && <Skeleton lines={3} />}
      <ul className="documents">
        {data?.map((one) => (
          <Device key={one.id} one={one} onEnded={stale} />
        ))}
      </ul>
    </section>
  )
}

function Device({ one, onEnded }: { one: SignedIn; onEnded: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => admin.endSignIn({ id: one.id }),
    onSettled: onEnded,
  })
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">
          {one.device} {one.is_this && <span className="tag ready">this one</span>}
        </span>
        <span className="quiet small">
          from {one.address}, seen {agoOf(one.last_seen_at)}, since {dayOf(one.created_at)}
          {one.is_kept && ', stays signed in'}
        </span>
        <Wrong error={error} />
      </div>
      {!one.is_this && (
        <div className="row document-side">
          <button
            type="button"
            className="button tiny"
            aria-label={`End ${one.device}`}
            disabled={isPending}
            onClick={() => mutate()}
          >
            End
          </button>
        </div>
      )}
    </li>
  )
}
