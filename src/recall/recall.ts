// From a question to the memories that may answer it, best first: by meaning, words, people and time, then a closer look at the best.
import { limits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import { completed, type Turn, understand } from '../language/understand.ts'
import type { Embedder } from '../ports/models.ts'
import type { Store } from '../ports/store.ts'
import type { Hot } from './index/cache.ts'
import { documentKey } from './index/columns.ts'
import type { Found } from './index/persona-index.ts'
import type { SecondLook } from './rerank.ts'
import { type Candidate, closeLook } from './rescore.ts'

export type RecallNeeds = {
  store: Pick<Store, 'traces'>
  embedder: Embedder
  hot: Hot
  secondLook?: SecondLook | undefined
  // Told of a model that failed: the question is answered without it.
  onTrouble?(error: unknown): void
}

export type RecallOptions = {
  documentIds?: string[] | undefined // only from these
  size?: number
  before?: Turn[] // the session so far, oldest first
  at?: Date // when the question is asked
}

export async function recall(
  needs: RecallNeeds,
  persona: Persona,
  question: string,
  { documentIds, size = limits.recallSize, before = [], at = new Date() }: RecallOptions,
): Promise<Recollection[]> {
  const asked = await needs.hot.use(persona.id, ({ columns }) =>
    understand(question, { isSpeaker: columns.isSpeaker, at, before }),
  )
  const vector = await meaningOf(needs, asked.meaning)
  const among = documentIds && new Set(documentIds.map(documentKey))
  const found = await needs.hot.use(persona.id, (index) => index.search(asked, vector, candidatesFor(size), among))
  const recalled = await needs.store.traces.recollect(persona.id, numbersOf(found.best, needs.secondLook !== undefined))
  const looked = closeLook(asked, found, recalled)
  const ranked = await lookAgain(needs, completed(question, before), looked)
  return onePerMemory(ranked)
    .slice(0, size)
    .map((one) => ({ ...one.recollection, score: one.score, parts: one.parts }))
}

// A reader sees a turn with the question it answers; nobody else needs that.
const numbersOf = (best: Found[], isRead: boolean): number[] => {
  const before = isRead ? best.slice(0, limits.secondLookCandidates).flatMap((one) => one.before ?? []) : []
  return [...new Set([...best.map((one) => one.number), ...before])]
}

// Some fall away: several pieces of one memory, and what was deleted a moment ago.
const candidatesFor = (size: number): number => Math.max(limits.recallCandidates, 2 * size)

// The order of the first look is good enough where there is no reader, or where it fails.
async function lookAgain(
  { secondLook, onTrouble }: RecallNeeds,
  question: string,
  looked: Candidate[],
): Promise<Candidate[]> {
  try {
    return secondLook ? await secondLook(question, looked) : looked
  } catch (error) {
    onTrouble?.(error)
    return looked
  }
}

// Without its meaning a question can still be answered by its words: better than not at all.
async function meaningOf({ embedder, onTrouble }: RecallNeeds, text: string): Promise<Float32Array | null> {
  try {
    return (await embedder.embed([text], 'question'))[0] ?? null
  } catch (error) {
    onTrouble?.(error)
    return null
  }
}

// A long plain memory is kept in pieces, but it is one memory: its best piece stands for it.
function onePerMemory(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ isPlain, recollection }) => {
    const { documentId } = recollection.memory
    if (!isPlain) return true
    if (seen.has(documentId)) return false
    seen.add(documentId)
    return true
  })
}
