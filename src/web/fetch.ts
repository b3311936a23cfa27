// Fetches a public page or file. Every address is hostile: each connection is checked, each redirect is followed by
// hand.

import { type Dispatcher, request } from 'undici'
import { AppError } from '../domain/errors.ts'
import type { Fetcher } from '../ports/extractor.ts'
import { asUnreachable, createGuard, type GuardOptions } from './guard.ts'
import { limits } from './limits.ts'
import { createLook } from './look.ts'
import { contentOf, redirectOf } from './response.ts'

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
    check: guard.checkWhole,
    look: createLook(guard, { bytes, redirects, closing: closing.signal, ...options }),
    close: async () => closing.abort(),
  }
}

async function readResponse(response: Dispatcher.ResponseData, url: URL, bytes: number) {
  if (response.statusCode < 200 || response.statusCode >= 300 || response.statusCode === 204) {
    response.body.on('error', () => {}).destroy()
    throw new AppError('unreachable', `The address answered with status ${response.statusCode}.`)
  }
  return contentOf(response, url, bytes)
}
