// What every answer says to browsers and to whatever stands between: keep nothing, guess nothing, run nothing.
import type { FastifyInstance } from 'fastify'

// Pages of our own (docs, console) say more in their place.
export const safeHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

export function addSafeHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers(safeHeaders)
  })
}

// An answer to what is no request, written to the connection itself.
export function bareAnswer(status: string, detail: string, more: Record<string, string> = {}): string {
  const body = JSON.stringify({ detail })
  const length = String(Buffer.byteLength(body))
  const headers = {
    'content-type': 'application/json',
    'content-length': length,
    connection: 'close',
    ...more,
    ...safeHeaders,
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`
}
