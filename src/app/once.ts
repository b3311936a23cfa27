// A request that is sent again under its caller's own name for it, and what programs of 2023 read in an answer.
import { createHash } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import type { Persona } from '../domain/persona.ts'
import type { KeptReply } from '../domain/reply.ts'
import type { Once, Pieces, RequestClaim } from '../ports/store.ts'
import type { Caller } from './access.ts'
import type { Needs } from './needs.ts'

// A request is the same when it asks the same of the same operation, with the same bytes.
export async function onceOf(
  { key, onceName }: Caller,
  operationName: string,
  request: object,
  file?: Pieces,
): Promise<Once | undefined> {
  if (onceName === undefined) return undefined
  const hash = createHash('sha256').update(JSON.stringify([operationName, request]))
  if (file) for await (const piece of file()) hash.update(piece)
  return { name: `${key.id}/${onceName}`, fingerprint: hash.digest('hex') }
}

// Answers a message that its caller named: `answer` once, and `repeat` with the reply that was kept from then on.
export async function answerOnce<T>(
  { store }: Pick<Needs, 'store'>,
  { persona, once }: { persona: Persona; once: Once | undefined },
  { answer, repeat }: { answer(claim?: RequestClaim): Promise<T>; repeat(reply: KeptReply): Promise<T> },
): Promise<T> {
  if (!once) return answer()
  const claim = await store.requests.claim(persona.id, once, new Date())
  if ('replyId' in claim) {
    const reply = await store.replies.get(persona.id, claim.replyId)
    // Its text went with what it told.
    if (!reply?.text) throw new AppError('not_found', 'What this Idempotency-Key was answered with has been deleted.')
    return repeat(reply)
  }
  try {
    return await answer(claim)
  } catch (error) {
    await store.requests.release(claim).catch(() => {}) // then it runs out by itself
    throw error
  }
}

// Programs of 2023 look for these two.
export const legacyFields = ({ key }: Caller) => (key.legacy ? { status: 'Memblock Created', success: true } : {})
