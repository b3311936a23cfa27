// Passkeys: one's own, added and removed; and signing in with one.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { admin, type Passkey } from '../api/admin.ts'
import { send, session } from '../api/call.ts'
import { words } from '../words/words.ts'
import { deviceName } from './device-name.ts'
import { Icon } from './icon.tsx'
import { Row, RowButton } from './row.tsx'
import { Skeleton, Wrong } from './small.tsx'
import { agoOf, dayOf } from './times.ts'
import { useSay } from './toast.tsx'

// Browsers make them for names alone, not for numbers such as 127.0.0.1.
export const hasPasskeys = (): boolean =>
  window.PublicKeyCredential !== undefined && !/^[\d.]+$|:/.test(location.hostname)

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON']

async function signIn(stay: boolean): Promise<void> {
  const asked = await send({ method: 'POST', path: '/console/passkey/options' })
  const { options } = (await asked.json()) as { options: Request }
  const response = await startAuthentication({ optionsJSON: options }).catch(given)
  await session.open({ response, stay }, '/console/passkey')
}

async function add(): Promise<Passkey> {
  const { options } = await admin.beginPasskey({})
  const response = await startRegistration({ optionsJSON: options as unknown as Creation }).catch(given)
  return admin.addPasskey({ name: deviceName(), response: { ...response } })
}

// What a browser says when somebody changed their mind reads like a fault.
function given(error: Error): never {
  const sentence = refusals[error.name]
  throw sentence === undefined ? error : new Error(sentence)
}

const refusals: Record<string, string> = {
  NotAllowedError: words.notConfirmedHere,
  InvalidStateError: words.hasPasskeyAlready,
}

// Whoever signs in without the form says there whether they stay.
export const stays = (): boolean => document.querySelector<HTMLInputElement>('input[name=stay]')?.checked ?? false

const never = () => () => undefined

export function ByPasskey() {
  const { mutate, error, isPending } = useMutation({ mutationFn: signIn })
  // The build, which writes the form, knows no browser.
  if (!useSyncExternalStore(never, hasPasskeys, () => false)) return null
  return (
    <div className="stack">
      <button type="button" className="button" disabled={isPending} onClick={() => mutate(stays())}>
        <Icon name="keys" /> {words.useAPasskey}
      </button>
      <Wrong error={error} />
    </div>
  )
}

export function Passkeys() {
  const queries = useQueryClient()
  const say = useSay()
  const { data, error } = useQuery({
    queryKey: ['passkeys'],
    queryFn: async () => (await admin.listPasskeys({})).passkeys,
  })
  const added = useMutation({
    mutationFn: add,
    onSuccess: () => {
      say(words.passkeyAdded)
      queries.invalidateQueries({ queryKey: ['passkeys'] })
    },
  })
  return (
    <section className="stack">
      <div className="row apart">
        <h2>{words.passkeys}</h2>
        {hasPasskeys() && (
          <button type="button" className="button tiny" disabled={added.isPending} onClick={() => added.mutate()}>
            <Icon name="plus" size={15} /> {words.addAPasskey}
          </button>
        )}
      </div>
      <p className="quiet">{hasPasskeys() ? words.whatPasskeysAre : words.passkeysNeedAName}</p>
      <Wrong error={error ?? added.error} />
      {!data && !error && <Skeleton lines={2} />}
      {data && data.length > 0 && (
        <ul className="documents">
          {data.map((one) => (
            <PasskeyRow key={one.id} one={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function PasskeyRow({ one }: { one: Passkey }) {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => admin.removePasskey({ id: one.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['passkeys'] }),
  })
  const name = one.name || words.aDevice
  return (
    <Row
      title={name}
      about={`${words.passkeyAddedOn(dayOf(one.created_at))}, ${
        one.last_used_at ? words.passkeyUsed(agoOf(one.last_used_at)) : words.neverUsed
      }`}
      error={error}
      actions={
        <RowButton label={words.removePasskeyOf(name)} isOff={isPending} onClick={() => mutate()}>
          {words.removePasskey}
        </RowButton>
      }
    />
  )
}
