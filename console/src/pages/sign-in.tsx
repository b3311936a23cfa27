// Signing in: with a mail address and a password, or with the admin key where there are no accounts, and for rescue.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { type Given, send, session } from '../api/call.ts'
import { Field } from '../parts/field.tsx'
import { Wrong } from '../parts/small.tsx'

type Ways = { accounts: boolean }

export function SignIn() {
  const [isByKey, setByKey] = useState(false)
  const { data: ways, error } = useQuery<Ways>({
    queryKey: ['ways'],
    queryFn: async () => (await send({ path: '/console/ways' })).json(),
  })
  useEffect(() => {
    document.title = 'Sign in · Memoir'
  }, [])
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div>
          <h1>Memoir</h1>
          <p className="lead">Personas that answer from memory, and know when they don’t know.</p>
        </div>
        {ways?.accounts && !isByKey && <ByPassword />}
        {((ways && !ways.accounts) || isByKey || error) && <ByKey />}
        {ways?.accounts && (
          <button type="button" className="button plain" onClick={() => setByKey(!isByKey)}>
            {isByKey ? 'Use a password' : 'Use the admin key'}
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
export function SignInForm({ given, path, does = 'Sign in', onDone, children }: FormOf) {
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
    <input type="checkbox" name="stay" /> Stay signed in on this device
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
    <Field label="Mail address">
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
    <Field label="Password" hint="Lost? An administrator can send you a link to a new one.">
      <input className="input" name="password" type="password" autoComplete="current-password" required />
    </Field>
    <Stay />
  </SignInForm>
)

const ByKey = () => (
  <SignInForm given={(form) => ({ key: String(form.get('key')).trim() })}>
    <Field
      label="Admin key"
      hint={
        <>
          Shown once, when Memoir first started. Lost? Run <code>memoir key reset-admin</code> on its machine.
        </>
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
    <p className="hint">You stay signed in until this tab closes. The key itself is not kept in the browser.</p>
  </SignInForm>
)
