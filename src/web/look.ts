// Looks at an address that is looked at again and again: politely, under the same guard as a page, and only for what
// has changed since.
import { type Dispatcher, request } from 'undici'
import { AppError } from '../domain/errors.ts'
import type { Fetcher, Look, Seen } from '../ports/extractor.ts'
import { asUnreachable, type Guard } from './guard.ts'
import { limits } from './limits.ts'
import { contentOf, redirectOf } from './response.ts'

type Bounds = { bytes: number; redirects: number; closing: AbortSignal; timeoutMs?: number }

export function createLook(guard: Guard, bounds: Bounds): Fetcher['look'] {
  return async (address, { seen, signal: outer, before }) => {
    const agent = guard.createAgent()
    const headers = { ...HEADERS, ...conditions(seen) }
    let deadline: AbortSignal | undefined
    try {
      let url = guard.check(address)
      for (let hop = 0; hop <= bounds.redirects; hop++) {
        await before(url)
        // Of each request: waiting for one's turn is not the server's fault.
        deadline = AbortSignal.timeout(bounds.timeoutMs ?? limits.timeoutMs)
        const signal = AbortSignal.any([deadline, bounds.closing, outer])
        const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal })
        const next = redirectOf(response, url)
        if (next === null) return await lookOf(response, url, bounds.bytes)
        response.body.on('error', () => {}).destroy()
        url = guard.check(next)
      }
      throw new AppError('unreachable', `The address redirects more than ${bounds.redirects} times.`)
    } catch (error) {
      throw asUnreachable(error, deadline)
    } finally {
      agent.destroy().catch(() => {})
    }
  }
}

// The name that robots.txt knows it by is the first word in it that is its own.
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; Memoir/1.0; follows feeds and sites for its user)',
  accept: 'text/html,application/xhtml+xml,application/atom+xml,application/rss+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en,*;q=0.5',
  'accept-encoding': 'gzip, deflate, br, zstd',
}

const conditions = (seen: Seen | undefined): Record<string, string> => ({
  ...(seen?.etag && { 'if-none-match': seen.etag }),
  ...(seen?.lastModified && { 'if-modified-since': seen.lastModified }),
})

async function lookOf(response: Dispatcher.ResponseData, url: URL, bytes: number): Promise<Look> {
  const { statusCode: status, headers } = response
  if (status >= 200 && status < 300 && status !== 204) {
    const seen = { etag: headerOf(headers.etag), lastModified: headerOf(headers['last-modified']) }
    return { is: 'found', content: await contentOf(response, url, bytes), seen }
  }
  response.body.on('error', () => {}).destroy()
  if (status === 304) return { is: 'same' }
  return { is: 'refused', status, retryAfterS: secondsIn(headerOf(headers['retry-after'])) }
}

const HEADER_CHARACTERS = 1_000

// What is longer could not be sent back.
function headerOf(header: string | string[] | undefined): string | null {
  const value = Array.isArray(header) ? header[0] : header
  return value && value.length <= HEADER_CHARACTERS ? value.replaceAll('\0', '') : null
}

// Seconds, or a date.
function secondsIn(header: string | null): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
