// Mixed traffic: what callers of every kind send, in the order of a seeded die.
import type { Caller } from './service.ts'
import { notes, questionAbout, sessions } from './service.ts'

export type Operation = 'message' | 'memory' | 'document' | 'history' | 'list'
export type Sent = { operation: Operation; method: 'GET' | 'POST'; path: string; body?: object; caller: Caller }

// Of a hundred requests.
export const shares: Record<Operation, number> = { message: 30, memory: 15, document: 5, history: 25, list: 25 }

export type Next = () => Sent

// `only` sends one operation alone.
export function mixOf(callers: Caller[], options: { seed?: number; only?: Operation } = {}): Next {
  const die = createDie(options.seed ?? 1)
  let sent = 0
  return () => {
    const caller = callers[Math.floor(die() * callers.length)]!
    return requestOf(options.only ?? drawn(die()), caller, ++sent, sessions[Math.floor(die() * sessions.length)]!)
  }
}

// Numbers in [0, 1) that are the same in every run (mulberry32).
export function createDie(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

function drawn(number: number): Operation {
  let left = number * 100
  for (const [operation, share] of Object.entries(shares)) {
    left -= share
    if (left < 0) return operation as Operation
  }
  return 'list'
}

function requestOf(operation: Operation, caller: Caller, n: number, SessionId: string): Sent {
  const DomainName = caller.persona
  const post = (path: string, body: object): Sent => ({
    operation,
    caller,
    method: 'POST',
    path,
    body: { DomainName, ...body },
  })
  switch (operation) {
    case 'message':
      return post('/v1/message', { SessionId, Text: questionAbout(n) })
    case 'memory':
      return post('/v1/memory', { SourceName: 'bench', Text: notes(100 + n) })
    case 'document':
      return post('/v1/upload-text', {
        Title: `Log ${n}`,
        Text: Array.from({ length: 15 }, (_, at) => notes(n + at)).join('\n\n'),
      })
    case 'history':
      return post('/v1/conversation?last=20', { SessionId })
    case 'list':
      return { operation, caller, method: 'GET', path: `/v1/document/list?DomainName=${DomainName}&limit=20` }
  }
}
