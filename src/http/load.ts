// How much is being answered at once: what is accepted keeps its pace, the rest is told to come back.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'

export type Load = {
  // Takes a place until the answer has gone. AppError('rate_limited') where this key holds too many, 'unavailable'
  // where all do.
  enter(request: FastifyRequest, reply: FastifyReply, operation: Operation, keyId: string): void
}

export function createLoad(bodyLimit: number): Load {
  const talks = createPlaces(limits.talksAtOnce, limits.talksOfKey)
  const others = createPlaces(limits.requestsAtOnce, limits.requestsOfKey)
  let bodies = 0
  return {
    enter(request, reply, operation, keyId) {
      const bytes = operation.multipart ? 0 : bodyBytes(request, bodyLimit)
      if (bodies + bytes > limits.bodiesBytes) throw overloaded()
      const leave = (isTalk(operation) ? talks : others).take(keyId)
      bodies += bytes
      reply.raw.once('close', () => {
        bodies -= bytes
        leave()
      })
    },
  }
}

// They wait for the models.
const isTalk = ({ name, scope }: Operation): boolean =>
  scope === 'message' || scope === 'instruction' || name === 'recall'

function bodyBytes({ headers }: FastifyRequest, most: number): number {
  const length = headers['content-length']
  if (length !== undefined) return Math.min(most, Number(length) || 0)
  return headers['transfer-encoding'] === undefined ? 0 : most
}

function createPlaces(most: number, mostOfKey: number) {
  const held = new Map<string, number>()
  let all = 0
  return {
    take(keyId: string): () => void {
      const own = held.get(keyId) ?? 0
      if (own >= mostOfKey) {
        const sentence = `This key has ${own} requests under way already; wait for one of them.`
        throw new AppError('rate_limited', sentence, { retryAfterS: limits.overloadRetryS })
      }
      if (all >= most) throw overloaded()
      held.set(keyId, own + 1)
      all++
      return () => {
        all--
        const left = held.get(keyId)! - 1
        if (left === 0) held.delete(keyId)
        else held.set(keyId, left)
      }
    },
  }
}

const overloaded = (): AppError =>
  new AppError('unavailable', 'The service has more to do than it can; try again in a moment.', {
    retryAfterS: limits.overloadRetryS,
  })
