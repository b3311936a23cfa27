// Where a one-time link leads: somebody makes their account, or chooses a new password.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { send } from '../api/call.ts'
import { Field, NewPassword } from '../parts/field.tsx'
import { Skeleton } from '../parts/small.tsx'
import { dayOf } from '../parts/times.ts'
import { words } from '../words/words.ts'
import { SignInForm, Stay } from './sign-in.tsx'

type Invited = { email: string; is_reset: boolean; expires_at: string }

export function Welcome() {
  const [token] = useState(() => location.hash.slice(1))
  const { data, error } = useQuery<Invited>({
    queryKey: ['invitation', token],
    queryFn: async () => (await send({ method: 'POST', path: '/console/invitation', body: { token } })).json(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(() => {
    document.title = `${words.welcome} · Memoir`
  }, [])
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div>
          <h1>{data?.is_reset ? words.welcomeBack : words.welcome}</h1>
          <p className="lead">
            {error ? words.linkLeadsNowhere : data?.is_reset ? words.chooseANewPassword : words.aboutAccount}
          </p>
        </div>
        {!data && !error && <Skeleton lines={4} />}
        {error && (
          <>
            <p>{error.message}</p>
            <a className="button" href="/console">
              {words.signIn}
            </a>
          </>
        )}
        {data && <Account token={token} invited={data} />}
      </div>
    </main>
  )
}

function Account({
  token,
  invited: { email, is_reset: isReset, expires_at: expiresAt },
}: {
  token: string
  invited: Invited
}) {
  return (
    <SignInForm
      path="/console/invitation/accept"
      onDone={() => location.replace('/console')}
      does={isReset ? words.setPasswordAndSignIn : words.createAccount}
      given={(form) => ({
        token,
        ...(email === '' && { email: String(form.get('email')) }),
        name: String(form.get('name') ?? ''),
        password: String(form.get('password')),
        stay: form.has('stay'),
      })}
    >
      <Field label={words.mailAddress} {...(email === '' && { hint: words.youSignInWithIt })}>
        <input
          className="input"
          name="email"
          type="email"
          autoComplete="username"
          {...(email === '' ? { required: true } : { value: email, readOnly: true })}
        />
      </Field>
      {!isReset && (
        <Field label={words.name}>
          <input className="input" name="name" maxLength={256} autoComplete="name" required />
        </Field>
      )}
      <NewPassword label={words.password} hint={words.aboutPasswords} />
      <Stay />
      <p className="hint">{words.theLinkWorksOnce(dayOf(expiresAt))}</p>
    </SignInForm>
  )
}
