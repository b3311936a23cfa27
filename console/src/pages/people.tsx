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
import { words } from '../words/words.ts'

export function People() {
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({ queryKey: ['people'], queryFn: () => admin.listPeople({}) })
  useEffect(() => {
    document.title = `${words.people} · Memoir`
  }, [])
  const invite = (
    <button type="button" className="button main" onClick={() => setNew(true)}>
      <Icon name="plus" /> {words.invite}
    </button>
  )
  const isEmpty = data?.people.length === 0 && data.invitations.length === 0
  return (
    <div className="wide">
      <PageHead title={words.people} actions={invite}>
        {words.aboutPeople}
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {isEmpty && (
        <Empty title={words.nobodyHasAnAccount} actions={invite}>
          {words.inviteYourselfFirst}
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
          <h2>{words.invited}</h2>
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
  role === 'administrator' || personas === '*' ? words.forAllPersonas : personas.join(', ') || words.noPersona

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
          {person.name} {isMe && <span className="tag">{words.thatIsYou}</span>}
        </span>
        <span className="quiet small">
          {person.email}, {person.last_seen_at ? words.seen(agoOf(person.last_seen_at)) : words.neverSeen}
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
            aria-label={words.changeIt(person.name)}
            onClick={() => setShown('change')}
          >
            {words.change}
          </button>
          <button
            type="button"
            className="button tiny"
            aria-label={words.newPasswordFor(person.name)}
            onClick={() => reset.mutate()}
          >
            {words.newPassword}
          </button>
          <button
            type="button"
            className="button danger tiny"
            aria-label={words.removeNamed(person.name)}
            onClick={() => setShown('remove')}
          >
            {words.remove}
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
  const name = invitation.email || words.whoeverOpensTheLink
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">{name}</span>
        <span className="quiet small">
          {invitation.is_reset ? words.aNewPassword : `${roleNames[invitation.role]}, ${personasOf(invitation)}`}
          {words.untilDay(dayOf(invitation.expires_at))}
        </span>
        <Wrong error={error} />
      </div>
      <div className="row document-side">
        <button
          type="button"
          className="button tiny"
          aria-label={words.withdrawInvitation(name)}
          onClick={() => mutate()}
        >
          {words.withdraw}
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
    <Dialog title={words.inviteSomebody} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.mailAddress}>
          <input className="input" name="email" type="email" required />
        </Field>
        <RoleFields />
        <FormEnd does={words.makeALink} onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}

const Link = ({ email, path, onClose }: { email: string; path: string; onClose: () => void }) => (
  <ShownOnce title={words.theOneTimeLink} label={words.linkToCopy} text={location.origin + path} onClose={onClose}>
    {words.sendLinkTo(email)}
  </ShownOnce>
)

function Change({ person, onClose }: { person: Person; onClose: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => admin.changePerson({ id: person.id, ...roleFrom(form) }),
    onSuccess: () => {
      say(words.savedFromNextClick)
      queries.invalidateQueries({ queryKey: ['people'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={words.whatMayDo(person.name)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <RoleFields given={person} />
        <FormEnd does={words.save} onBack={onClose} error={error} isOff={isPending} />
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
      say(words.removedAndSignedOut)
      queries.invalidateQueries({ queryKey: ['people'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={words.removeNamedAsk(person.name)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{words.aboutRemoval(person.name)}</p>
        <FormEnd does={words.remove} onBack={onClose} error={error} isOff={isPending} back={words.keep} tone="danger" />
      </form>
    </Dialog>
  )
}
