// The key behind a request in another program's protocol: a bearer token, as they send it, or x-api-key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import type { Key } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import type { KeyGuard } from './key-guard.ts'
import type { RateLimit } from './rate-limit.ts'

export type DoorKeyNeeds = {
  app: Pick<App, 'identify'>
  rateLimit: RateLimit
  keyGuard: KeyGuard
}

export function givenKey({ headers }: FastifyRequest): string | undefined {
  const given = headers['x-api-key'] as string | undefined
  return given ?? /^Bearer +(\S{1,200}) *$/i.exec(headers.authorization ?? '')?.[1]
}

// The admin key talks to nobody: a program needs a key of its own.
export async function admitAtDoor(needs: DoorKeyNeeds, request: FastifyRequest, reply: FastifyReply): Promise<Key> {
  const given = givenKey(request)
  const key = await needs.app.identify(given)
  needs.keyGuard.check(request.ip, given !== undefined, key)
  if (!key || key.admin)
    throw new AppError('unauthenticated', "Send a persona's key: Authorization: Bearer KEY, or x-api-key: KEY.")
  await needs.rateLimit(key.id, reply)
  return key
}
