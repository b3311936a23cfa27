// Signing in to the console and out of it. Guesses are counted by the address they come from, and by account.
import type { FastifyInstance } from 'fastify'
import {
  acceptInvitation,
  askForPasskey,
  openInvitation,
  signIn,
  signInByPasskey,
  signInWays,
  signOut,
} from '../contract/console-api.ts'
import { AppError } from '../domain/errors.ts'
import { createKeyGuard } from './key-guard.ts'
import { limits } from './limits.ts'
import { addOpenId } from './open-id.ts'
import { siteOf } from './origin.ts'
import { NOBODY, type SigningInNeeds, signInRoutes } from './sign-in-routes.ts'

export function addSigningIn(server: FastifyInstance, { app, sessions, sizes, publicUrl }: SigningInNeeds): void {
  const guard = createKeyGuard(limits.wrongSignInsPerMinute)
  const add = signInRoutes(server, sizes)

  add(signInWays, () => app.door.ways())
  add(signIn, async (fields, request, reply) => {
    // A password costs time to compare.
    if (fields.key === undefined) guard.look(request.ip)
    const key = await app.door.recognise(fields)
    guard.check(request.ip, true, key)
    await app.record({ key: key ?? NOBODY, from: request.ip }, signIn.name, key ? 'done' : 'unauthorized')
    if (!key) throw new AppError('unauthorized', fields.key === undefined ? WRONG : 'This is not the admin key.')
    return { tab: await sessions.open(key, fields.stay, request, reply) }
  })
  add(askForPasskey, async (_, request) => {
    guard.look(request.ip)
    return { options: await app.door.askForPasskey(siteOf(request, publicUrl)) }
  })
  add(signInByPasskey, async ({ response, stay }, request, reply) => {
    guard.look(request.ip)
    const key = await app.door.recogniseDevice(siteOf(request, publicUrl), response)
    guard.check(request.ip, true, key)
    await app.record({ key: key ?? NOBODY, from: request.ip }, signIn.name, key ? 'done' : 'unauthorized')
    if (!key) throw new AppError('unauthorized', 'This passkey is not known here, or was not confirmed.')
    return { tab: await sessions.open(key, stay, request, reply) }
  })
  addOpenId(add, { app, sessions, publicUrl, guard })
  add(signOut, async (_, request, reply) => ({ signed_out: await sessions.close(request, reply) }))
  // A link that leads nowhere is a guess like a wrong key.
  const guarded = async <T>(address: string, act: () => Promise<T>): Promise<T> => {
    guard.look(address)
    return act().catch((error) => {
      if (error instanceof AppError && error.code === 'not_found') guard.check(address, true, undefined)
      throw error
    })
  }
  add(openInvitation, (fields, { ip }) => guarded(ip, () => app.door.invitation(fields)))
  add(acceptInvitation, async (fields, request, reply) => {
    const key = await guarded(request.ip, () => app.door.accept(fields))
    await app.record({ key, from: request.ip }, acceptInvitation.name)
    return { tab: await sessions.open(key, fields.stay, request, reply) }
  })
}

const WRONG = 'The mail address or the password is not right.'
