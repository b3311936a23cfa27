// POST /mcp: the Model Context Protocol over streamable HTTP. Every request stands alone, so that any process may
// answer it: there are no sessions, and no streams that wait for news.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../app/app.ts'
import { mcpDoor } from '../contract/doors.ts'
import { AppError } from '../domain/errors.ts'
import { admitAtDoor, type DoorKeyNeeds } from './door-key.ts'
import { bugSentence } from './errors.ts'
import { untilTheyLeave } from './leaving.ts'
import type { Load } from './load.ts'
import { type Refusal, refuse } from './refuse.ts'
import { checkSite } from './site.ts'

export type McpDoorNeeds = DoorKeyNeeds & {
  app: App
  log: Logger
  load: Load
  corsOrigins: '*' | string[]
  tls: unknown
  trustProxy: boolean
}

export function addMcp(server: FastifyInstance, needs: McpDoorNeeds): void {
  const isSecure = needs.tls !== undefined || needs.trustProxy
  server.route({
    method: mcpDoor.method,
    url: mcpDoor.path,
    config: { operation: mcpDoor },
    onRequest: async (request, reply) => {
      checkSite(request, { corsOrigins: needs.corsOrigins, isSecure })
      request.key = await admitAtDoor(needs, request, reply)
      needs.load.enter(request, reply, mcpDoor, request.key.id)
    },
    handler: (request, reply) => answer(needs, request, reply),
    errorHandler: (thrown, request, reply) => {
      const refusal = refuse(needs.log, thrown, request, reply)
      if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')
      return reply.send({ jsonrpc: '2.0', error: { code: codeOf(refusal), message: refusal.sentence }, id: null })
    },
  })
}

async function answer({ app, log }: McpDoorNeeds, request: FastifyRequest, reply: FastifyReply) {
  // One request is one call: a batch would be many for the price of one. The protocol has dropped them, too.
  if (Array.isArray(request.body)) throw new AppError('invalid', 'Batches are not taken: send one message a request.')
  // Loaded by the first agent that comes: commands, and services without agents, start without the protocol.
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { createMcpServer } = await import('../mcp/server.ts')
  const signal = untilTheyLeave(reply)
  const service = app.as({ key: request.key!, requestId: request.id, from: request.ip, signal })
  const onBug = (err: unknown): string => {
    log.error({ request: request.id, err }, 'bug')
    return bugSentence(request.id)
  }
  const handler = createMcpHandler(() => createMcpServer({ service, onBug }), {
    onerror: (err) => log.debug({ request: request.id, err }, 'mcp'),
  })
  const asked = new Request('http://memoir/mcp', { method: 'POST', headers: headersOf(request), signal })
  return send(reply, await handler.fetch(asked, { parsedBody: request.body }))
}

// The body has been read already: what describes its bytes stays here.
function headersOf({ headers }: FastifyRequest): Headers {
  const kept = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && (name === 'accept' || name.startsWith('mcp-'))) kept.set(name, value)
  return kept
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status)
  for (const [name, value] of response.headers) if (name !== 'connection') reply.header(name, value)
  return reply.send(response.body === null ? undefined : Readable.fromWeb(response.body as ReadableStream))
}

const PARSE_ERROR = -32_700
const REFUSED = -32_000

const codeOf = ({ code }: Refusal): number => (code === 'invalid' ? PARSE_ERROR : REFUSED)
