// People with accounts, for tests: invited, signed in, calling as their browser does.
import type { Answer, Call, Started } from './started.ts'

export const PASSWORD = 'violet kettle on the moor'

export type Person = {
  id: string
  halves: Record<string, string>
  call(call: Omit<Call, 'key'>): Promise<Answer>
}

// Both halves of a session, as a browser would send them.
export const halvesOf = ({ headers, body }: Answer): Record<string, string> => ({
  cookie: (headers.get('set-cookie') ?? '').split(';')[0]!,
  'x-memoir-tab': body.tab,
})

export async function invite(service: Started, email: string, more: object = {}): Promise<string> {
  const { path } = await service.admin('POST', '/people', { email, ...more })
  return path.split('#')[1]
}

export async function join(service: Started, email: string, more: object = {}): Promise<Person> {
  const token = await invite(service, email, more)
  const answer = await service.call({
    path: '/console/invitation/accept',
    body: { token, password: PASSWORD, name: email.split('@')[0] },
  })
  if (answer.status !== 200) throw new Error(`accept: ${answer.status} ${JSON.stringify(answer.body)}`)
  return personOf(service, answer)
}

export async function signIn(service: Started, email: string, password = PASSWORD, more: object = {}): Promise<Answer> {
  return service.call({ path: '/console/session', body: { email, password, ...more } })
}

export async function personOf(service: Started, answer: Answer): Promise<Person> {
  const halves = halvesOf(answer)
  const call = (one: Omit<Call, 'key'>) => service.call({ ...one, headers: { ...halves, ...one.headers } })
  const { body } = await call({ method: 'GET', path: '/admin/me' })
  return { id: body.id, halves, call }
}
