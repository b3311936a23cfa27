// Signing in through the OpenID Connect issuer: there with a secret in a cookie, and back with what the issuer says.
import { acceptInvitation, beginOpenId, signIn, signInByOpenId } from '../contract/console-api.ts'
import { AppError } from '../domain/errors.ts'
import type { KeyGuard } from './key-guard.ts'
import { limits } from './limits.ts'
import { siteOf } from './origin.ts'
import { type AddRoute, NOBODY, type SigningInNeeds } from './sign-in-routes.ts'

type OpenIdNeeds = Omit<SigningInNeeds, 'sizes'> & { guard: KeyGuard }

// Several sign-ins may be under way in one browser: each has a cookie of its own, named by what the issuer sends back.
const cookieId = (state: string): string => `openid_${state.replaceAll(/[^\w-]/g, '').slice(0, 16)}`

export function addOpenId(add: AddRoute, { app, sessions, publicUrl, guard }: OpenIdNeeds): void {
  add(beginOpenId, async (_, request, reply) => {
    guard.look(request.ip)
    const { state, secret, address, keptMs } = await app.door.beginOpenId(siteOf(request, publicUrl))
    sessions.lend(reply, cookieId(state), secret, keptMs)
    return { address }
  })
  add(
    signInByOpenId,
    async ({ query, stay }, request, reply) => {
      guard.look(request.ip)
      const secret = sessions.takeBack(request, reply, cookieId(new URLSearchParams(query).get('state') ?? ''))
      const returned = app.door.recogniseReturned(siteOf(request, publicUrl), { secret, query })
      const { key, isNew } = await returned.catch(async (error) => {
        if (error instanceof AppError && error.code === 'unauthorized') {
          guard.check(request.ip, true, undefined)
          await app.record({ key: NOBODY, from: request.ip }, signIn.name, 'unauthorized')
        }
        throw error
      })
      guard.check(request.ip, true, key)
      if (isNew) await app.record({ key, from: request.ip }, acceptInvitation.name)
      await app.record({ key, from: request.ip }, signIn.name)
      return { tab: await sessions.open(key, stay, request, reply) }
    },
    limits.openIdBytes,
  )
}
