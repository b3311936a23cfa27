// The routes of everybody who is not signed in yet: small bodies, checked against the contract.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../app/app.ts'
import { validate } from '../app/validate.ts'
import type { Sizes } from '../contract/limits.ts'
import type { Operation } from '../contract/operation.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import { limits } from './limits.ts'

export type SigningInNeeds = { app: App; sessions: ConsoleSessions; sizes: Sizes; publicUrl: string | undefined }

// Who is written down for a sign-in that failed.
export const NOBODY = { id: 'nobody', admin: false }

export type AddRoute = <T extends Operation>(
  operation: T,
  handler: (fields: FieldsOf<T>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  bodyLimit?: number,
) => void

type FieldsOf<T extends Operation> = T extends { body: z.ZodType } ? z.output<T['body']> : unknown

export const signInRoutes =
  (server: FastifyInstance, sizes: Sizes): AddRoute =>
  (operation, handler, bodyLimit = limits.signInBytes) => {
    server.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      bodyLimit,
      handler: (request, reply) => {
        const body = operation.body ? validate(operation.body, request.body ?? {}, sizes.textCharacters) : {}
        return handler(body as FieldsOf<typeof operation>, request, reply)
      },
    })
  }
