// Fetches a public page or file. Every address is hostile: each connection is checked, each redirect is followed by
// hand.

import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { AppError } from '../domain/errors.ts'
import type { Fetcher } from '../ports/extractor.ts'
import { isPublicAddress } from './addresses.ts'
import { readBody } from './fetch-body.ts'
import { limits } from './limits.ts'

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export type FetcherOptions = {
  allowPrivate?: boolean // reach the owner's own network: off unless they say so
  allowAddresses?: string[] // or only these of its addresses
  resolve?: Resolve
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
  const resolve: Resolve = options.resolve ?? ((hostname) => lookup(hostname, { all: true }))
  const allowed = (address: string) =>
    options.allowPrivate === true || isPublicAddress(address) || options.allowAddresses?.includes(address) === true
  const redirects = options.redirects ?? limits.redirects
  const bytes = options.bytes ?? limits.bytes
  const closing = new AbortController()

  return {
    async fetch(address, outer = {}) {
      const deadline = AbortSignal.timeout(options.timeoutMs ?? limits.timeoutMs)
      const signal = AbortSignal.any([deadline, closing.signal, ...(outer.signal ? [outer.signal] : [])])
      // Connections are not shared between fetches: none outlives the check it was opened with.
      const agent = createAgent(resolve, allowed)
      try {
        let url = checkedUrl(address, allowed)
        for (let hop = 0; hop <= redirects; hop++) {
          const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal })
          const next = redirectOf(response, url)
          if (next === null) return await readResponse(response, url, bytes)
          response.body.on('error', () => {}).destroy()
          url = checkedUrl(next, allowed)
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

function createAgent(resolve: Resolve, allowed: (address: string) => boolean): Agent {
  const connect = buildConnector({ timeout: limits.timeoutMs, lookup: checkedLookup(resolve, allowed) })
  return new Agent({
    pipelining: 0,
    maxHeaderSize: limits.headerBytes,
    connect(options, callback) {
      // A literal address is connected to without a lookup, so it is looked at here.
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) && !allowed(literal)) callback(refused(), null)
      else connect(options, callback)
    },
  })
}

// The addresses checked here are the ones connected to: there is no second resolution to answer differently.
function checkedLookup(resolve: Resolve, allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const fitting = options.family ? found.filter((entry) => entry.family === Number(options.family)) : found
        const first = fitting[0]
        if (!first) callback(new AppError('unreachable', 'The host has no address.'), '')
        // One forbidden address among several is enough: which one is connected to is not ours to say.
        else if (!found.every((entry) => allowed(entry.address))) callback(refused(), '')
        else if (options.all) callback(null, fitting)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

function checkedUrl(address: string, allowed: (address: string) => boolean): URL {
  const url = URL.parse(address.trim())
  if (!url || address.length > limits.urlCharacters) throw new AppError('unreachable', 'This is not a valid URL.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError('unreachable', 'Only http and https addresses can be fetched.')
  if (url.username || url.password) throw new AppError('unreachable', 'The URL must not carry a user name or password.')
  // Below 1024 other services than the web listen, and some of them obey what a request says.
  const port = Number(url.port || 80)
  if (port < 1024 && port !== 80 && port !== 443)
    throw new AppError('unreachable', `Port ${port} is not for web pages.`)
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) && !allowed(literal)) throw refused()
  url.hash = ''
  return url
}

function redirectOf(response: Dispatcher.ResponseData, url: URL): string | null {
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

function refused(): AppError {
  return new AppError('unreachable', 'The address is not on the public internet.')
}

function asUnreachable(error: unknown, deadline: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (deadline.aborted) return new AppError('unreachable', 'The address did not answer in time.', { cause: error })
  const cause = (error as { cause?: unknown }).cause
  if (cause instanceof AppError) return cause
  const code = (error as { code?: string }).code
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new AppError('unreachable', 'The host of this URL cannot be found.', { cause: error })
  return new AppError('unreachable', 'The address cannot be reached.', { cause: error })
}
