// The HTTP server: a table of contents of its routes, and what holds for all of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../app/app.ts'
import type { Sizes } from '../contract/limits.ts'
import type { Operation } from '../contract/operation.ts'
import type { Key } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import type { Allowances } from '../ports/store.ts'
import type { Tracing } from '../telemetry/scope.ts'
import { addAdminApi } from './admin-api.ts'
import { boundConnections } from './connections.ts'
import { addConsole } from './console.ts'
import { createConsoleSessions } from './console-sessions.ts'
import { addCors } from './cors.ts'
import { asAppError } from './errors.ts'
import { addSafeHeaders, bareAnswer, safeHeaders } from './headers.ts'
import { parseJson } from './json.ts'
import { addKeep } from './keep.ts'
import { createKeyGuard } from './key-guard.ts'
import { limits } from './limits.ts'
import { createLoad } from './load.ts'
import { addMcp } from './mcp.ts'
import type { Metrics } from './metrics.ts'
import { addNotFound } from './not-found.ts'
import { addOpenAi } from './openai/routes.ts'
import { addPublicApi } from './public-api.ts'
import { createRateLimit } from './rate-limit.ts'
import { refuse } from './refuse.ts'
import { addRequestScope, requestIdOf } from './request-scope.ts'
import { addSystem } from './system.ts'
import { addTalk } from './talk/talk.ts'

declare module 'fastify' {
  interface FastifyRequest {
    key: Key | undefined
    signInId: string | undefined
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

export type ServerNeeds = {
  app: App
  doors: 'all' | 'health only'
  allowances: Allowances
  sizes: Sizes
  requestsPerMinute: number
  visitorMessagesPerMinute: number
  log: Logger
  metrics: Metrics
  tracing: Tracing | undefined
  corsOrigins: '*' | string[]
  tls: { cert: Buffer; key: Buffer } | undefined
  trustProxy: boolean
  publicUrl: string | undefined
  tempFolder: string
  whatIsWrong(): Promise<string | null> // why it cannot be called now, as a sentence
  chatModels(): { ready: number; resting: number }
  memoriesToEmbed(): number
  outdatedScores(): Promise<number>
  damagedTexts(): Promise<number>
  lastBackup(): Promise<{ madeAt: Date; bytes: number } | undefined>
}

export async function createServer(needs: ServerNeeds): Promise<FastifyInstance> {
  const { sizes, log, metrics } = needs
  const options: FastifyServerOptions = {
    bodyLimit: sizes.jsonBodyBytes,
    // The proxy in front is believed, and nothing that a caller says came before it.
    trustProxy: needs.trustProxy && ((_address, hop) => hop === 0),
    requestIdHeader: false,
    genReqId: requestIdOf,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      ;(reply as FastifyReply)
        .headers({ ...safeHeaders, 'x-request-id': request.id })
        .code(400)
        .send({ detail: asAppError(error)?.message ?? 'The address is malformed.' })
    },
    clientErrorHandler: refuseMalformed,
  }
  const server = fastify({ ...options, logger: false, ...(needs.tls && { https: needs.tls }) } as FastifyServerOptions)
  server.decorateRequest('key', undefined)
  server.decorateRequest('signInId', undefined)

  addRequestScope(server, needs.tracing)
  addSafeHeaders(server)
  addCors(server, needs.corsOrigins)
  addBodies(server)
  boundConnections(server.server, { isProxied: needs.trustProxy })
  letGoWhenStopping(server, needs.tls ? 'secureConnection' : 'connection')
  addErrors(server, needs)
  addNotFound(server, needs.doors)
  server.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.name ?? request.routeOptions.url ?? 'unknown'
    metrics.requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
    // Neither address, body nor key: an address may hold a session, a body is somebody's words.
    const facts = {
      request: request.id,
      operation,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      key: request.key?.last4,
    }
    log.info(facts, 'request')
  })
  await server.register(multipart, {
    limits: {
      fileSize: sizes.fileBytes,
      files: 2,
      fields: limits.formFields,
      fieldSize: limits.formFieldBytes,
      parts: limits.formFields,
    },
    throwFileSizeLimit: true,
  })

  addSystem(server, needs)
  if (needs.doors === 'health only') return server
  const sessions = createConsoleSessions(needs.app, needs.tls !== undefined || needs.trustProxy)
  const rateLimit = createRateLimit(needs.allowances, needs.requestsPerMinute)
  const keyGuard = createKeyGuard(limits.wrongKeysPerMinute)
  const load = createLoad(sizes.jsonBodyBytes)
  addPublicApi(server, { ...needs, sessions, rateLimit, keyGuard, load })
  addAdminApi(server, { ...needs, sessions, keyGuard, load })
  addMcp(server, { ...needs, rateLimit, keyGuard, load })
  addKeep(server, { ...needs, sessions, keyGuard, load })
  addOpenAi(server, { ...needs, rateLimit, keyGuard, load })
  addConsole(server, { ...needs, sessions })
  addTalk(server, { ...needs, load })
  return server
}

// A stop waits for answers, not for connections. Of those without a question Node closes only the ones that had one,
// and an answer that falls into the stop leaves its connection open for the next.
function letGoWhenStopping(server: FastifyInstance, connected: 'connection' | 'secureConnection'): void {
  const resting = new Set<Socket>()
  let isStopping = false
  server.server.on(connected, (socket: Socket) => {
    resting.add(socket)
    socket.once('close', () => resting.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    resting.delete(socket)
    response.once('close', () => {
      if (isStopping) socket.destroySoon()
      else if (!socket.destroyed) resting.add(socket)
    })
  })
  server.addHook('preClose', async () => {
    isStopping = true
    for (const socket of resting) socket.destroy()
  })
}

function addBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const json = async (_request: unknown, body: Buffer) => parseJson(body)
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, json)
  // Absent counts as JSON.
  server.addContentTypeParser('*', { parseAs: 'buffer' }, json)
  server.addHook('preParsing', async (request) => {
    const { operation } = request.routeOptions.config
    const type = request.headers['content-type']
    if (!operation || type === undefined || type === '') return
    const wanted = operation.upload ?? (operation.multipart ? 'multipart/form-data' : 'application/json')
    if (type.split(';', 1)[0]!.trim().toLowerCase() !== wanted) {
      throw new AppError('unsupported_type', `Content-Type must be ${wanted}.`)
    }
  })
}

function addErrors(server: FastifyInstance, { log }: Pick<ServerNeeds, 'log'>): void {
  server.setErrorHandler((thrown, request, reply) => {
    const { sentence } = refuse(log, thrown, request, reply)
    return reply.send({ detail: sentence })
  })
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  if (tooLarge) socket.end(bareAnswer('431 Request Header Fields Too Large', 'The headers are too large.'))
  else socket.end(bareAnswer('400 Bad Request', 'This is no HTTP request.'))
}
