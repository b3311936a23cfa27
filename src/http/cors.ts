// Browsers may call the public interface from other origins: no cookies are used, so nothing is given away. Errors
// carry the headers, too.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { doors, isOpenAi } from '../contract/doors.ts'
import { documentHeader, errorHeader, type Operation, withStreamed } from '../contract/operation.ts'
import { publicOperations } from '../contract/public-api.ts'

const METHODS = 'GET, POST, PUT, OPTIONS'
const HEADERS = [
  ...['x-api-key', 'authorization', 'content-type', 'x-request-id', 'idempotency-key'],
  ...['mcp-protocol-version', 'mcp-method', 'mcp-name'],
  '*', // programs add their own, and nothing of a browser's comes along
].join(', ')

const EXPOSED = [
  ...['x-request-id', 'x-memoir-reply-id', documentHeader, errorHeader],
  ...['retry-after', 'ratelimit', 'ratelimit-policy'],
].join(', ')

const served: Operation[] = [...Object.values(publicOperations).flatMap(withStreamed), ...doors]
const bare = new Set(served.flatMap(({ path, aliases = [] }) => [path, ...aliases]))

const isPublic = (url: string): boolean =>
  url.startsWith('/v1/') || isOpenAi(url) || bare.has(url.split('?', 1)[0]!.replace(/\/$/, ''))

export function addCors(server: FastifyInstance, origins: '*' | string[]): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!isPublic(request.url)) return
    allow(request, reply, origins)
    if (request.method !== 'OPTIONS') return
    reply.header('access-control-allow-methods', METHODS).header('access-control-allow-headers', HEADERS)
    reply.header('access-control-max-age', '86400').code(204)
    return reply.send()
  })
}

function allow(request: FastifyRequest, reply: FastifyReply, origins: '*' | string[]): void {
  if (origins === '*') reply.header('access-control-allow-origin', '*')
  else {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
  }
  reply.header('access-control-expose-headers', EXPOSED)
}
