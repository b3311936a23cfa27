// /console: the owner's page, its files as `console/build.ts` left them.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from './html.ts'
import type { SigningInNeeds } from './sign-in-routes.ts'
import { addSigningIn } from './signing-in.ts'

export const consolePaths = ['/console', '/console/{page}']

const built = fileURLToPath(new URL('../../console/dist/', import.meta.url))

export type ConsoleNeeds = SigningInNeeds

export function addConsole(server: FastifyInstance, needs: ConsoleNeeds): void {
  addSigningIn(server, needs)
  const files = readBuilt()
  const page = files.get('index.html')
  const policy = policyOf(page?.bytes.toString() ?? '')
  const firstPages = page && createFirstPages(page)
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    secure(request, reply, policy)
    if (!page || !firstPages) return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
    const path = (request.params as { '*'?: string })['*'] ?? ''
    const file = files.get(path)
    if (!file && path.startsWith('assets/')) return reply.callNotFound()
    // Names of assets change with their content; every other address is a view of the one page.
    reply.header('cache-control', path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (file) return send(request, reply, file)
    if (isFormless.has(path)) return send(request, reply, page)
    reply.header('vary', 'accept-encoding, accept-language')
    return send(request, reply, firstPages(languageOf(request), await needs.app.door.ways()))
  }
  server.get('/console', serve)
  server.get('/console/*', serve)
}

// Somebody may be on the way in there already.
const isFormless = new Set(['welcome', 'openid'])

// The page with the form for signing in, which the build has written for each language and each of the ways in.
function createFirstPages(page: Built): (language: string, ways: Ways) => Built {
  const forms = JSON.parse(readFileSync(join(built, 'sign-in.json'), 'utf8')) as Record<string, string>
  const made = new Map<string, Built>()
  return (language, ways) => {
    const name = `${language} ${ways.accounts} ${ways.openid !== null}`
    const form = (forms[name] ?? '').replace('{openid}', () => escapeHtml(ways.openid ?? ''))
    const kept = made.get(name) ?? packed(Buffer.from(withForm(page, language, ways, form)), page.type)
    made.set(name, kept)
    return kept
  }
}

type Ways = Awaited<ReturnType<SigningInNeeds['app']['door']['ways']>>

const withForm = (page: Built, language: string, ways: Ways, form: string): string =>
  page.bytes
    .toString()
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace(
      '<div id="root"></div>',
      () => `<div id="root" data-ways="${escapeHtml(JSON.stringify(ways))}">${form}</div>`,
    )

// As the page chooses by itself (console/src/words/language.ts), unless its owner chose another there.
const languageOf = (request: FastifyRequest): string =>
  /(?:^|[,\s])(en|de)\b/i.exec(String(request.headers['accept-language'] ?? ''))?.[1]?.toLowerCase() ?? 'en'

type Built = { bytes: Buffer; zipped: Buffer | undefined; type: string }

function readBuilt(): Map<string, Built> {
  const files = new Map<string, Built>()
  if (!existsSync(built)) return files
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    files.set(path.slice(built.length).replaceAll('\\', '/'), packed(bytes, type))
  }
  return files
}

const packed = (bytes: Buffer, type: string): Built => ({
  bytes,
  zipped: type.startsWith('font/') ? undefined : gzipSync(bytes),
  type,
})

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

function send(request: FastifyRequest, reply: FastifyReply, { bytes, zipped, type }: Built): FastifyReply {
  reply.type(type)
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  if (!zipped || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(zipped)
}

// Nothing from elsewhere, nothing inline but what the build wrote into the page, no markup made from strings. `data:`
// pictures are those of personas.
const policyOf = (page: string): string =>
  [
    "default-src 'none'",
    `script-src 'self'${inlineOf(page, 'script')}`,
    `style-src 'self'${inlineOf(page, 'style')}`,
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

const inlineOf = (page: string, tag: string): string =>
  page
    .split(`<${tag}>`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`</${tag}>`)))
    .map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join('')

// Whom another site's page sends here is separated from that page. Whoever comes by themselves (an address typed, a
// bookmark) is not: a browser that has a process ready would throw it away for that, and begin another.
function secure(request: FastifyRequest, reply: FastifyReply, policy: string): void {
  reply
    .header('content-security-policy', policy)
    .header('permissions-policy', 'camera=(), microphone=(self), geolocation=()')
  if (request.headers['sec-fetch-site'] !== 'none') reply.header('cross-origin-opener-policy', 'same-origin')
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Memoir</title>
<p>The console has not been built. Run <code>npm ci</code>, or <code>npm run console</code>, in the folder of Memoir,
and start it again.`
