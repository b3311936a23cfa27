// Where a browser reaches this service: as the settings say, else as it says itself.
import type { FastifyRequest } from 'fastify'
import type { Site } from '../app/people/passkeys.ts'

export function siteOf(request: FastifyRequest, publicUrl: string | undefined): Site {
  const { origin, hostname } = new URL(publicUrl ?? `${request.protocol}://${request.host}`)
  return { origin, host: hostname }
}
