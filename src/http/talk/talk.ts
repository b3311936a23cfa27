// /talk/{domain_name}: a page for people without keys, where the owner shares a persona; and /embed.js, which puts
// that page into other sites. What is not shared is not there.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../../app/app.ts'
import type { Visit, Visitor } from '../../app/visitors/visit.ts'
import type { Operation } from '../../contract/operation.ts'
import { talkOperations, type VisitorReply, visitorHeader } from '../../contract/talk-api.ts'
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Allowances } from '../../ports/store.ts'
import { untilTheyLeave } from '../leaving.ts'
import { limits } from '../limits.ts'
import type { Load } from '../load.ts'
import { createRateLimit } from '../rate-limit.ts'
import { streamReply } from '../stream.ts'
import { createVisitorLimit } from '../visitor-limit.ts'
import { addTalkFiles, filePaths } from './files.ts'
import { renderNobody, renderPage } from './page.ts'
import { policyFor } from './policy.ts'

export const talkPaths = ['/talk/{domain_name}', ...filePaths]

export type TalkNeeds = {
  app: App
  log: Logger
  load: Load
  allowances: Allowances
  requestsPerMinute: number
  visitorMessagesPerMinute: number
}

export function addTalk(server: FastifyInstance, needs: TalkNeeds): void {
  const visitors = createVisitorLimit(needs.visitorMessagesPerMinute)
  // All visitors of a persona together may do as much as one key.
  const rateLimit = createRateLimit(needs.allowances, needs.requestsPerMinute, 'This page has')

  const route = (operation: Operation, cost: number, answer: Answer) => {
    server.route({
      method: operation.method,
      url: operation.path.replace('{domain_name}', ':domain_name'),
      config: { operation },
      bodyLimit: limits.visitorBytes,
      onRequest: async (request, reply) => {
        visitors.spend(request.ip, cost)
        const persona = await sharedFor(needs, request)
        await rateLimit(`visitors:${persona.id}`, reply)
        needs.load.enter(request, reply, operation, `visitors:${persona.id}`)
      },
      handler: async (request, reply) => {
        const persona = await sharedFor(needs, request)
        const visit = (live: Partial<Visitor>) => needs.app.visit(persona, { ...visitorOf(request), ...live })
        return answer(visit, request, reply)
      },
    })
  }
  route(talkOperations.say, 1, (visit, { body }, reply) =>
    streamReply(
      reply,
      needs.log,
      (onText): Promise<VisitorReply> => visit({ signal: untilTheyLeave(reply), onText }).say(body ?? {}),
    ),
  )
  route(talkOperations.lookBack, limits.visitorLookShare, (visit) => visit({}).lookBack())
  route(talkOperations.judge, limits.visitorLookShare, (visit, { body }) => visit({}).judge(body ?? {}))

  addTalkFiles(server)
  server.get('/talk/:domain_name', async (request, reply) => {
    const persona = await sharedFor(needs, request).catch(nobody)
    reply.type('text/html; charset=utf-8').header('x-robots-tag', 'noindex')
    reply.header('content-security-policy', policyFor(persona?.sharing.origins ?? []))
    return persona ? reply.send(renderPage(persona)) : reply.code(404).send(renderNobody())
  })
}

type Answer = (
  visit: (live: Partial<Visitor>) => Visit,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>

const sharedFor = ({ app }: TalkNeeds, { params }: FastifyRequest): Promise<Persona> =>
  app.shared((params as { domain_name: string }).domain_name)

const visitorOf = ({ id, headers }: FastifyRequest): Visitor => ({
  requestId: id,
  secret: headers[visitorHeader] as string | undefined,
})

function nobody(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error
}
