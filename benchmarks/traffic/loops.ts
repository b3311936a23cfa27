// Callers in two ways: those who wait for an answer before they ask again, and those who come whether or not others are served.
import { Agent, request } from 'node:http'
import { createDie, type Next, type Operation, type Sent } from './mix.ts'
import { wait } from './service.ts'

export type Outcome = {
  sent: Sent
  due: number // by performance.now()
  // From the moment it was due: a request that could not be sent in time waited, too.
  ms: number
  status: number // 0: the connection broke
  hasRetryAfter: boolean
}

const SOCKETS_OF_ADDRESS = 190

// So many callers for so long, each with one request at a time. Whoever is told to come back does as it is told.
export async function callInTurn(url: string, next: Next, { callers, ms }: { callers: number; ms: number }) {
  const line = createLine(url)
  const outcomes: Outcome[] = []
  const until = performance.now() + ms
  const caller = async () => {
    while (performance.now() < until) {
      const outcome = await line.send(next(), performance.now())
      outcomes.push(outcome)
      if (isRefused(outcome)) await wait(Math.min(1_000, Math.max(0, until - performance.now())))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  line.close()
  return outcomes
}

// So many requests a second for so long, at moments that a die has set beforehand, as independent callers come.
export async function callOnSchedule(
  url: string,
  next: Next,
  { rate, ms, seed = 7 }: { rate: number; ms: number; seed?: number },
) {
  const line = createLine(url)
  const die = createDie(seed)
  const coming: Promise<Outcome>[] = []
  const began = performance.now()
  for (let due = 0; ; ) {
    due += (-Math.log(1 - die()) / rate) * 1000
    if (due > ms) break
    const early = began + due - performance.now()
    if (early > 1) await wait(early)
    coming.push(line.send(next(), began + due))
  }
  const outcomes = await Promise.all(coming)
  line.close()
  return outcomes
}

export const isRefused = ({ status }: Outcome): boolean => status === 429 || status === 503
export const isOf = (operation: Operation) => (outcome: Outcome) => outcome.sent.operation === operation

function createLine(url: string) {
  const agents = new Map<string, Agent>()
  const agentOf = (address: string): Agent => {
    const agent = agents.get(address) ?? new Agent({ keepAlive: true, maxSockets: SOCKETS_OF_ADDRESS })
    agents.set(address, agent)
    return agent
  }
  return {
    send(sent: Sent, due: number): Promise<Outcome> {
      const { method, path, body, caller } = sent
      const text = body && JSON.stringify(body)
      const headers = {
        'x-api-key': caller.key,
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const options = { method, headers, agent: agentOf(caller.address), localAddress: caller.address }
      return new Promise((resolve) => {
        const tell = (status: number, hasRetryAfter: boolean) =>
          resolve({ sent, due, ms: performance.now() - due, status, hasRetryAfter })
        const call = request(url + path, options, (answer) => {
          answer.resume()
          answer.once('end', () => tell(answer.statusCode!, answer.headers['retry-after'] !== undefined))
          answer.once('error', () => tell(0, false))
        })
        call.once('error', () => tell(0, false))
        call.end(text)
      })
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}
