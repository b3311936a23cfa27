// /console: the owner's page, its files as `console/build.ts` left them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SigningInNeeds } from './sign-in-routes.ts'
import { addSigningIn } from './signing-in.ts'

export const consolePaths = ['/console', '/console/{page}']

const built = fileURLToPath(new URL('../../console/dist/', import.meta.url))

export type ConsoleNeeds = SigningInNeeds

export function addConsole(server: FastifyInstance, needs: ConsoleNeeds): void {
  addSigningIn(server, needs)
  const files = readBuilt()
  const page = files.get('index.html')
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    secure(reply)
    if (!page) return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
    const path = (request.params as { '*'?: string })['*'] ?? ''
    const file = files.get(path)
    if (!file && path.startsWith('assets/')) return reply.callNotFound()
    // Names of assets change with their content; every other address is a view of the one page.
    reply.header('cache-control', path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    return send(request, reply, file ?? page)
  }
  server.get('/console', serve)
  server.get('/console/*', serve)
}

type Built = { bytes: Buffer; zipped: Buffer | undefined; type: string }

function readBuilt(): Map<string, Built> {
  const files = new Map<string, Built>()
  if (!existsSync(built)) return files
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const zipped = type.startsWith('font/') ? undefined : gzipSync(bytes)
    files.set(path.slice(built.length).replaceAll('\\', '/'), { bytes, zipped, type })
  }
  return files
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

function send(request: FastifyRequest, reply: FastifyReply, { bytes, zipped, type }: Built): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding')
  if (!zipped || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(zipped)
}

// Nothing from elsewhere, nothing inline, no markup made from strings. `data:` pictures are those of personas.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  'frame-src blob:', // a PDF beside its text
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types worker', // the one script that shows notices
].join('; ')

const secure = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', POLICY)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), microphone=(self), geolocation=()')

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Memoir</title>
<p>The console has not been built. Run <code>npm ci</code>, or <code>npm run console</code>, in the folder of Memoir,
and start it again.`
