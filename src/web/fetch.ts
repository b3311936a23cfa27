// Fetches a public page or file. Every address is hostile: each connection is checked, each redirect is followed by
// hand.

import { type Dispatcher, request } from 'undici'
import { AppError } from '../domain/errors.ts'
import type { Fetcher } from '../ports/extractor.ts'
import { readBody } from './fetch-body.ts'
import { asUnreachable, createGuard, type GuardOptions } from './guard.ts'
import { limits } from './limits.ts'

export type FetcherOptions = GuardOptions & {
  timeoutMs?: number
  bytes?: number
  redirects?: number
}

const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; Memoir/1.0; reads a page when its user asks)',
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8',
  'accept-language': 'en,*;q=0.5',
  'accept-encoding': 'gzip, deflate, br, zstd',
}

export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const guard = createGuard(options)
  const redirects = options.redirects ?? limits.redirects
  const bytes = options.bytes ?? limits.bytes
  const closing = new AbortController()

  return {
    async fetch(address, outer = {}) {
      const deadline = AbortSignal.timeout(options.timeoutMs ?? limits.timeoutMs)
      const signal = AbortSignal.any([deadline, closing.signal, ...(outer.signal ? [outer.signal] : [])])
      const agent = guard.createAgent()
      try {
        let url = guard.check(address)
        for (let hop = 0; hop <= redirects; hop++) {
          const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal })
          const next = redirectOf(response, url)
          if (next === null) return await readResponse(response, url, bytes)
          response.body.on('error', () => {}).destroy()
          url = guard.check(next)
        }
        throw new AppError('unreachable', `The address redirects more than ${redirects} times.`)
      } catch (error) {
        throw asUnreachable(error, deadline)
      } finally {
        agent.destroy().catch(() => {})
      }
    },
    close: async () => closing.abort(),
  }
}

export function redirectOf(response: Dispatcher.ResponseData, url: URL): string | null {
  const { location } = response.headers
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return null
  const next = URL.parse(String(location ?? ''), url.href)
  if (!location || !next) throw new AppError('unreachable', 'The address redirects to nowhere.')
  return next.href
}

async function readResponse(response: Dispatcher.ResponseData, url: URL, bytes: number) {
  if (response.statusCode < 200 || response.statusCode >= 300 || response.statusCode === 204) {
    response.body.on('error', () => {}).destroy()
    throw new AppError('unreachable', `The address answered with status ${response.statusCode}.`)
  }
  const body = await readBody(response.body, String(response.headers['content-encoding'] ?? ''), bytes)
  const type = response.headers['content-type']
  return {
    bytes: body,
    name: decodeName(url.pathname.split('/').at(-1) ?? ''),
    mediaType: (Array.isArray(type) ? type[0] : type) ?? null,
    url: url.href,
  }
}

function decodeName(segment: string): string | null {
  try {
    return decodeURIComponent(segment).slice(0, limits.nameCharacters) || null
  } catch {
    return segment.slice(0, limits.nameCharacters) || null
  }
}
