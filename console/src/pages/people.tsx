// Who has an account, what each of them may do, and who is invited.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { admin, type Invitation, type Person } from '../api/admin.ts'
import { useMe } from '../api/queries.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { RoleFields, roleFrom, roleNames } from '../parts/role-fields.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Empty, Monogram, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, dayOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'

export function People() {
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({ queryKey: ['people'], queryFn: () => admin.listPeople({}) })
  useEffect(() => {
    document.title = 'People · Memoir'
  }, [])
  const invite = (
    <button type="button" className="button main" onClick={() => setNew(true)}>
      <Icon name="plus" /> Invite
    </button>
  )
  const isEmpty = data?.people.length === 0 && data.invitations.length === 0
  return (
    <div className="wide">
      <PageHead title="People" actions={invite}>
        Each person signs in with an account of their own, and may do what their role says.
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {isEmpty && (
        <Empty title="Nobody has an account yet" actions={invite}>
          Invite yourself first, as administrator: then the admin key is needed for programs and for rescue alone.
        </Empty>
      )}
      {data && data.people.length > 0 && (
        <ul className="documents">
          {data.people.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </ul>
      )}
      {data && data.invitations.length > 0 && (
        <>
          <h2>Invited</h2>
          <ul className="documents">
            {data.invitations.map((one) => (
              <InvitationRow key={one.id} invitation={one} />
            ))}
          </ul>
        </>
      )}
      {isNew && <Invite onClose={() => setNew(false)} />}
    </div>
  )
}

const personasOf = ({ role, personas }: Pick<Person, 'role' | 'personas'>): string =>
  role === 'administrator' || personas === '*' ? 'all personas' : personas.join(', ') || 'no persona'

function PersonRow({ person }: { person: Person }) {
  const { data: me } = useMe()
  const [shown, setShown] = useState<'change' | 'remove' | 'link'>()
  const reset = useMutation({
    mutationFn: () => admin.resetPerson({ id: person.id }),
    onSuccess: () => setShown('link'),
  })
  const isMe = me?.id === person.id
  return (
    <li className="document">
      <Monogram persona={{ name: person.name, domain_name: person.email, picture: null }} size="2.2rem" />
      <div className="document-main">
        <span className="document-title">
          {person.name} {isMe && <span className="tag">you</span>}
        </span>
        <span className="quiet small">
          {person.email}, {person.last_seen_at ? `seen ${agoOf(person.last_seen_at)}` : 'never seen'}
        </span>
        <span className="row">
          <span className="tag">{roleNames[person.role]}</span>
          <span className="quiet small">{personasOf(person)}</span>
        </span>
        <Wrong error={reset.error} />
      </div>
      {!isMe && (
        <div className="row document-side">
          <button
            type="button"
            className="button tiny"
            aria-label={`Change ${person.name}`}
            onClick={() => setShown('change')}
          >
            Change
          </button>
          <button
            type="button"
            className="button tiny"
            aria-label={`New password for ${person.name}`}
            onClick={() => reset.mutate()}
          >
            New password
          </button>
          <button
            type="button"
            className="button danger tiny"
            aria-label={`Remove ${person.name}`}
            onClick={() => setShown('remove')}
          >
            Remove
          </button>
        </div>
      )}
      {shown === 'change' && <Change person={person} onClose={() => setShown(undefined)} />}
      {shown === 'remove' && <Remove person={person} onClose={() => setShown(undefined)} />}
      {shown === 'link' && reset.data && (
        <Link email={person.email} path={reset.data.path} onClose={() => setShown(undefined)} />
      )}
    </li>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const queries = useQueryClient()
  const { mutate, error } = useMutation({
    mutationFn: () => admin.withdrawInvitation({ id: invitation.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const name = invitation.email || 'Whoever opens the first link'
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">{name}</span>
        <span className="quiet small">
          {invitation.is_reset ? 'a new password' : `${roleNames[invitation.role]}, ${personasOf(invitation)}`}, until{' '}
          {dayOf(invitation.expires_at)}
        </span>
        <Wrong error={error} />
      </div>
      <div className="row document-side">
        <button
          type="button"
          className="button tiny"
          aria-label={`Withdraw the invitation of ${name}`}
          onClick={() => mutate()}
        >
          Withdraw
        </button>
      </div>
    </li>
  )
}

function Invite({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: admin.invitePerson,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    mutate({ email: String(form.get('email')).trim(), ...roleFrom(form) })
  }
  if (data) return <Link email={data.email} path={data.path} onClose={onClose} />
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Mail address">
          <input className="input" name="email" type="email" required />
        </Field>
        <RoleFields />
        <FormEnd does="Make a link" onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}

const Link = ({ email, path, onClose }: { email: string; path: string; onClose: () => void }) => (
  <ShownOnce title="The one-time link" label="link" text={location.origin + path} onClose={onClose}>
    Send it to {email}. It is shown this once, works once, and runs out after a week.
  </ShownOnce>
)

function Change({ person, onClose }: { person: Person; onClose: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => admin.changePerson({ id: person.id, ...roleFrom(form) }),
    onSuccess: () => {
      say('Saved. It holds from their next click on.')
      queries.invalidateQueries({ queryKey: ['people'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={`What ${person.name} may do`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <RoleFields given={person} />
        <FormEnd does="Save" onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}

function Remove({ person, onClose }: { person: Person; onClose: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => admin.removePerson({ id: person.id }),
    onSuccess: () => {
      say('Removed. They are signed out everywhere.')
      queries.invalidateQueries({ queryKey: ['people'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={`Remove ${person.name}?`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          {person.name} is signed out everywhere and cannot sign in again. What they taught and said stays; keys that
          they made stay, too.
        </p>
        <FormEnd does="Remove" onBack={onClose} error={error} isOff={isPending} back="Keep" tone="danger" />
      </form>
    </Dialog>
  )
}
