// One field: the admin key, exchanged for a session of this tab.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect } from 'react'
import { session } from '../api/call.ts'
import { Field } from '../parts/field.tsx'
import { Wrong } from '../parts/small.tsx'

export function SignIn() {
  const { mutate, error, isPending } = useMutation({ mutationFn: (key: string) => session.open(key) })
  useEffect(() => {
    document.title = 'Sign in · Memoir'
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('key')).trim())
  }
  return (
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={submit}>
        <div>
          <h1>Memoir</h1>
          <p className="lead">Personas that answer from memory, and know when they don’t know.</p>
        </div>
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
            autoComplete="current-password"
            placeholder="memoir_admin_…"
            required
            // biome-ignore lint/a11y/noAutofocus: the page has this one field
            autoFocus
          />
        </Field>
        <Wrong error={error} />
        <button type="submit" className="button main" disabled={isPending}>
          Sign in
        </button>
        <p className="hint">You stay signed in until this tab closes. The key itself is not kept in the browser.</p>
      </form>
    </main>
  )
}
