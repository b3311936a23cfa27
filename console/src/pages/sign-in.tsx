// Signing in: with a password, a passkey or through an issuer; with the admin key where there are no accounts, and for
// rescue.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Given, send, session } from '../api/call.ts'
import { Field } from '../parts/field.tsx'
import { Filled } from '../parts/filled.tsx'
import { Icon } from '../parts/icon.tsx'
import { ByPasskey, stays } from '../parts/passkeys.tsx'
import { Wrong } from '../parts/small.tsx'
import { keepWay } from '../parts/way-there.ts'
import { words } from '../words/words.ts'

type Ways = { accounts: boolean; openid: string | null }

export function SignIn() {
  const [isByKey, setByKey] = useState(false)
  const { data: ways, error } = useQuery<Ways>({
    queryKey: ['ways'],
    queryFn: async () => (await send({ path: '/console/ways' })).json(),
  })
  useEffect(() => {
    document.title = words.signInTitle
  }, [])
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div>
          <h1>Memoir</h1>
          <p className="lead">{words.whatMemoirIs}</p>
        </div>
        {ways?.accounts && !isByKey && (
          <>
            <ByPassword />
            <ByPasskey />
          </>
        )}
        {ways?.openid && !isByKey && <ByOpenId name={ways.openid} />}
        {((ways && !ways.accounts) || isByKey || error) && <ByKey />}
        {ways?.accounts && (
          <button type="button" className="button plain" onClick={() => setByKey(!isByKey)}>
            {isByKey ? words.useAPassword : words.useTheAdminKey}
          </button>
        )}
      </div>
    </main>
  )
}

type FormOf = {
  given: (form: FormData) => Given
  children: ReactNode
  path?: string
  does?: string
  onDone?: () => void
}

// Signs in with what is filled in.
export function SignInForm({ given, path, does = words.signIn, onDone, children }: FormOf) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: Given) => session.open(fields, path),
    ...(onDone && { onSuccess: onDone }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(given(new FormData(event.currentTarget)))
  }
  const form = useRef<HTMLFormElement>(null)
  // Sent before the page's script was there to take it.
  useEffect(() => {
    if (document.documentElement.dataset.sent === undefined) return
    delete document.documentElement.dataset.sent
    form.current?.requestSubmit()
  }, [])
  return (
    <form className="stack" onSubmit={submit} ref={form}>
      {children}
      <Wrong error={error} />
      <button type="submit" className="button main" disabled={isPending}>
        {does}
      </button>
    </form>
  )
}

export const Stay = () => (
  <label className="choice start">
    <input type="checkbox" name="stay" /> {words.staySignedIn}
  </label>
)

const ByPassword = () => (
  <SignInForm
    given={(form) => ({
      email: String(form.get('email')),
      password: String(form.get('password')),
      stay: form.has('stay'),
    })}
  >
    <Field label={words.mailAddress}>
      <input
        className="input"
        name="email"
        type="email"
        autoComplete="username"
        required
        // biome-ignore lint/a11y/noAutofocus: the page is this form
        autoFocus
      />
    </Field>
    <Field label={words.password} hint={words.passwordLost}>
      <input className="input" name="password" type="password" autoComplete="current-password" required />
    </Field>
    <Stay />
  </SignInForm>
)

function ByOpenId({ name }: { name: string }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const begun = await send({ method: 'POST', path: '/console/openid/begin' })
      const { address } = (await begun.json()) as { address: string }
      keepWay(stays())
      location.assign(address)
    },
  })
  return (
    <div className="stack">
      <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
        <Icon name="out" /> {words.signInWith(name)}
      </button>
      <Wrong error={error} />
    </div>
  )
}

const ByKey = () => (
  <SignInForm given={(form) => ({ key: String(form.get('key')).trim() })}>
    <Field
      label={words.adminKey}
      hint={
        <Filled text={words.aboutAdminKey}>
          <code>memoir key reset-admin</code>
        </Filled>
      }
    >
      <input
        className="input"
        name="key"
        type="password"
        autoComplete="off"
        placeholder="memoir_admin_…"
        required
        // biome-ignore lint/a11y/noAutofocus: the page has this one field
        autoFocus
      />
    </Field>
    <p className="hint">{words.signedInWhileTabIsOpen}</p>
  </SignInForm>
)
