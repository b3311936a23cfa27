// Where an address that others chose may lead: checked as it is written, and again at every connection.

import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { AppError } from '../domain/errors.ts'
import { isPublicAddress } from './addresses.ts'
import { limits } from './limits.ts'

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export type GuardOptions = {
  allowPrivate?: boolean // reach the owner's own network: off unless they say so
  allowAddresses?: string[] // or only these of its addresses
  resolve?: Resolve
}

export type Guard = {
  // The address as it may be requested. Throws AppError('unreachable', sentence) where it must not be.
  check(address: string): URL
  // The same, and where its name leads to now.
  checkWhole(address: string): Promise<void>
  // Its connections are checked. Not to be shared: none outlives the check it was opened with.
  createAgent(): Agent
}

export function createGuard(options: GuardOptions): Guard {
  const resolve: Resolve = options.resolve ?? ((hostname) => lookup(hostname, { all: true }))
  const allowed = (address: string) =>
    options.allowPrivate === true || isPublicAddress(address) || options.allowAddresses?.includes(address) === true
  return {
    check: (address) => checkedUrl(address, allowed),
    async checkWhole(address) {
      const { hostname } = checkedUrl(address, allowed)
      if (isIP(hostname.replace(/^\[|\]$/g, ''))) return
      const found = await resolve(hostname).catch((error) => {
        throw asUnreachable(error)
      })
      if (!found.every((entry) => allowed(entry.address))) throw refused()
    },
    createAgent: () => createAgent(resolve, allowed),
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

function refused(): AppError {
  return new AppError('unreachable', 'The address is not on the public internet.')
}

export function asUnreachable(error: unknown, deadline?: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (deadline?.aborted) return new AppError('unreachable', 'The address did not answer in time.', { cause: error })
  const cause = (error as { cause?: unknown }).cause
  if (cause instanceof AppError) return cause
  const code = (error as { code?: string }).code
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new AppError('unreachable', 'The host of this URL cannot be found.', { cause: error })
  return new AppError('unreachable', 'The address cannot be reached.', { cause: error })
}
