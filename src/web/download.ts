// Sends for a large file at an address that its owner named, under the same guard as a page; from the middle, too.
import { request } from 'undici'
import { AppError } from '../domain/errors.ts'
import type { Download } from '../ports/local-models.ts'
import { asUnreachable, createGuard, type GuardOptions } from './guard.ts'
import { limits } from './limits.ts'
import { redirectOf } from './response.ts'

export function createDownload(options: GuardOptions): Download {
  const guard = createGuard(options)
  return async (address, { from, etag, signal }) => {
    const agent = guard.createAgent()
    const headers = {
      'user-agent': 'Memoir/1.0',
      'accept-encoding': 'identity',
      ...(from > 0 && { range: `bytes=${from}-`, ...(etag && { 'if-range': etag }) }),
    }
    const times = { headersTimeout: limits.downloadIdleMs, bodyTimeout: limits.downloadIdleMs }
    let sha256: string | null = null
    try {
      let url = guard.check(address)
      for (let hop = 0; hop <= limits.redirects; hop++) {
        const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal, ...times })
        sha256 ??= namedHash(response.headers['x-linked-etag'])
        const next = redirectOf(response, url)
        if (next === null) {
          const { statusCode, headers: told, body } = response
          if (statusCode !== 200 && statusCode !== 206) {
            body.on('error', () => {}).destroy()
            throw new AppError('unreachable', `The address answered with status ${statusCode}.`)
          }
          const parts = (async function* () {
            try {
              for await (const part of body) yield part as Uint8Array
            } finally {
              agent.destroy().catch(() => {})
            }
          })()
          return { ...extentOf(statusCode, told), etag: strong(told.etag), sha256, parts }
        }
        response.body.on('error', () => {}).destroy()
        url = guard.check(next)
      }
      throw new AppError('unreachable', `The address redirects more than ${limits.redirects} times.`)
    } catch (error) {
      agent.destroy().catch(() => {})
      throw asUnreachable(error)
    }
  }
}

type Told = Record<string, string | string[] | undefined>

function extentOf(status: number, told: Told): { from: number; total: number | null } {
  if (status === 200) return { from: 0, total: told['content-length'] ? Number(told['content-length']) : null }
  const [, first, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(String(told['content-range'])) ?? []
  if (first === undefined) throw new AppError('unreachable', 'The server sends a part without saying which.')
  return { from: Number(first), total: Number(total) }
}

const strong = (etag: string | string[] | undefined): string | null =>
  typeof etag === 'string' && etag.startsWith('"') ? etag : null

// Hugging Face names the SHA-256 of a large file in this header of its first answer.
const namedHash = (header: string | string[] | undefined): string | null =>
  /^"?([0-9a-f]{64})"?$/i.exec(String(header ?? ''))?.[1]?.toLowerCase() ?? null
