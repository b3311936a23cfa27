// From which site a request comes, and under which name it found us. A page in a browser can be led to a service on its
// visitor's machine under a name of its own (DNS rebinding): such names are refused.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../domain/errors.ts'

// `isSecure`: TLS, ours or a proxy's, has proved the name. Without it only this machine can reach us.
export type SiteRules = { corsOrigins: '*' | string[]; isSecure: boolean }

export function checkSite(request: FastifyRequest, { corsOrigins, isSecure }: SiteRules): void {
  const here = urlOf(`http://${request.host}`)
  if (!here || (!isSecure && !isLocal(here.hostname))) {
    const remedy = 'Call it localhost, or set MEMOIR_BEHIND_PROXY=1 where a proxy stands in front.'
    throw new AppError('unauthorized', `This service does not go by the name in Host. ${remedy}`)
  }
  const { origin } = request.headers
  if (origin === undefined || (corsOrigins !== '*' && corsOrigins.includes(origin))) return
  const there = urlOf(origin)
  const isOurs = there !== undefined && (isLocal(there.hostname) || (isSecure && there.host === here.host))
  if (!isOurs)
    throw new AppError('unauthorized', 'Pages of this origin may not call; MEMOIR_CORS_ORIGINS names those that may.')
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

// Names that nobody else can point here: an address is none at all, and the last is what containers call their host.
const isLocal = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === 'host.docker.internal'
