// Posts an event to an address that its owner chose, under the same guard as a page that is fetched.
import type { Readable } from 'node:stream'
import { request } from 'undici'
import type { Webhooks } from '../../ports/webhooks.ts'
import { asUnreachable, createGuard, type GuardOptions } from '../guard.ts'
import { limits } from '../limits.ts'

export type WebhooksOptions = GuardOptions & { timeoutMs?: number }

const always = {
  'content-type': 'application/json',
  'user-agent': 'Memoir/1.0 (webhooks)',
  accept: '*/*',
  'accept-encoding': 'identity',
}

export function createWebhooks(options: WebhooksOptions = {}): Webhooks {
  const guard = createGuard(options)
  return {
    check: (url) => guard.checkWhole(url),

    async post(address, { body, headers, signal }) {
      const deadline = AbortSignal.timeout(options.timeoutMs ?? limits.deliverMs)
      const agent = guard.createAgent()
      try {
        const response = await request(guard.check(address), {
          dispatcher: agent,
          method: 'POST',
          headers: { ...always, ...headers },
          body,
          signal: AbortSignal.any([deadline, signal]),
        })
        return { status: response.statusCode, response: await readBeginning(response.body) }
      } catch (error) {
        throw asUnreachable(error, deadline)
      } finally {
        agent.destroy().catch(() => {})
      }
    },
  }
}

// Whatever comes after it, or goes wrong there: the status says how it went.
async function readBeginning(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= limits.responseBytes) break
    }
  } catch {
    // Cut off: what came is shown.
  }
  return Buffer.concat(chunks).subarray(0, limits.responseBytes).toString().replaceAll('\0', '\uFFFD')
}
