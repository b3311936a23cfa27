// Who has an account, what each of them may do, and who is invited.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { admin, type Invitation, type Person } from '../api/admin.ts'
import { useMe } from '../api/queries.ts'
import { Devices } from '../parts/devices.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { RoleFields, roleFrom, roleNames } from '../parts/role-fields.tsx'
import { Row, RowButton } from '../parts/row.tsx'
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
  const [shown, setShown] = useState<'change' | 'remove' | 'link' | 'sessions'>()
  const close = () => setShown(undefined)
  const reset = useMutation({
    mutationFn: () => admin.resetPerson({ id: person.id }),
    onSuccess: () => setShown('link'),
  })
  const { name, email } = person
  const isMe = me?.id === person.id
  return (
    <Row
      before={<Monogram persona={{ name, domain_name: email, picture: null }} size="2.2rem" />}
      title={
        <>
          {name} {isMe && <span className="tag">{words.thatIsYou}</span>}
        </>
      }
      about={`${email}, ${person.last_seen_at ? words.seen(agoOf(person.last_seen_at)) : words.neverSeen}`}
      error={reset.error}
      actions={
        !isMe && (
          <>
            <RowButton label={words.changeIt(name)} onClick={() => setShown('change')}>
              {words.change}
            </RowButton>
            <RowButton label={words.sessionsOf(name)} onClick={() => setShown('sessions')}>
              {words.theirSessions}
            </RowButton>
            <RowButton label={words.newPasswordFor(name)} onClick={() => reset.mutate()}>
              {words.newPassword}
            </RowButton>
            <RowButton label={words.removeNamed(name)} onClick={() => setShown('remove')} isGrave>
              {words.remove}
            </RowButton>
          </>
        )
      }
    >
      <span className="row">
        <span className="tag">{roleNames[person.role]}</span>
        <span className="quiet small">{personasOf(person)}</span>
      </span>
      {shown === 'change' && <Change person={person} onClose={close} />}
      {shown === 'remove' && <Remove person={person} onClose={close} />}
      {shown === 'sessions' && (
        <Dialog title={name} onClose={close}>
          <Devices person={person.id} />
        </Dialog>
      )}
      {shown === 'link' && reset.data && <Link email={email} path={reset.data.path} onClose={close} />}
    </Row>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const queries = useQueryClient()
  const { mutate, error } = useMutation({
    mutationFn: () => admin.withdrawInvitation({ id: invitation.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const name = invitation.email || words.whoeverOpensTheLink
  const leadsTo = invitation.is_reset ? words.aNewPassword : `${roleNames[invitation.role]}, ${personasOf(invitation)}`
  return (
    <Row
      title={name}
      about={leadsTo + words.untilDay(dayOf(invitation.expires_at))}
      error={error}
      actions={
        <RowButton label={words.withdrawInvitation(name)} onClick={() => mutate()}>
          {words.withdraw}
        </RowButton>
      }
    />
  )
}

type PeopleFormOf<T> = {
  title: string
  does: string
  act: (form: FormData) => Promise<T>
  onDone: (made: T) => void
  onClose: () => void
  children: ReactNode
  back?: string
  tone?: 'danger'
}

// A question about people, in a dialog; the list is read again when it was answered.
function PeopleForm<T>({ title, act, onDone, onClose, children, ...end }: PeopleFormOf<T>) {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: act,
    onSuccess: (made) => {
      queries.invalidateQueries({ queryKey: ['people'] })
      onDone(made)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {children}
        <FormEnd onBack={onClose} error={error} isOff={isPending} {...end} />
      </form>
    </Dialog>
  )
}

function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<{ email: string; path: string }>()
  if (made) return <Link {...made} onClose={onClose} />
  return (
    <PeopleForm
      title={words.inviteSomebody}
      does={words.makeALink}
      act={(form) => admin.invitePerson({ email: String(form.get('email')).trim(), ...roleFrom(form) })}
      onDone={setMade}
      onClose={onClose}
    >
      <Field label={words.mailAddress}>
        <input className="input" name="email" type="email" required />
      </Field>
      <RoleFields />
    </PeopleForm>
  )
}

const Link = ({ email, path, onClose }: { email: string; path: string; onClose: () => void }) => (
  <ShownOnce title={words.theOneTimeLink} label={words.linkToCopy} text={location.origin + path} onClose={onClose}>
    {words.sendLinkTo(email)}
  </ShownOnce>
)

function Change({ person, onClose }: { person: Person; onClose: () => void }) {
  const say = useSay()
  const done = () => {
    say(words.savedFromNextClick)
    onClose()
  }
  return (
    <PeopleForm
      title={words.whatMayDo(person.name)}
      does={words.save}
      act={(form) => admin.changePerson({ id: person.id, ...roleFrom(form) })}
      onDone={done}
      onClose={onClose}
    >
      <RoleFields given={person} />
    </PeopleForm>
  )
}

function Remove({ person, onClose }: { person: Person; onClose: () => void }) {
  const say = useSay()
  return (
    <PeopleForm
      title={words.removeNamedAsk(person.name)}
      does={words.remove}
      act={() => admin.removePerson({ id: person.id })}
      onDone={() => say(words.removedAndSignedOut)}
      onClose={onClose}
      back={words.keep}
      tone="danger"
    >
      <p>{words.aboutRemoval(person.name)}</p>
    </PeopleForm>
  )
}
