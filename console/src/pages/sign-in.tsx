// Signing in: with a mail address and a password, or with the admin key where there are no accounts, and for rescue.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { type Given, send, session } from '../api/call.ts'
import { Field } from '../parts/field.tsx'
import { Filled } from '../parts/filled.tsx'
import { ByPasskey } from '../parts/passkeys.tsx'
import { Wrong } from '../parts/small.tsx'
import { words } from '../words/words.ts'

type Ways = { accounts: boolean }

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
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <Wrong error={error} />
      <button type="submit" className="button main" disabled={isPending}>
        {does}
      </button>
    </form>
  )
}

export const Stay = () => (
  <label className="choice" style={{ justifySelf: 'start' }}>
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
