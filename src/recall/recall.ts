// From a query to the memories that may answer it, best first: searched by meaning, words, people and time, then
// rescored by their texts and reranked by a reader.
import { limits as serviceLimits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import { type Query, withoutNames } from '../language/language.ts'
import type { Embedder } from '../ports/models.ts'
import type { Store } from '../ports/store.ts'
import { inSpan } from '../telemetry/scope.ts'
import type { IndexCache } from './index/cache.ts'
import { documentKey } from './index/columns.ts'
import type { Found } from './index/persona-index.ts'
import { limits } from './limits.ts'
import type { Serving } from './reembedding.ts'
import type { Rerank } from './rerank.ts'
import { type Candidate, rescore } from './rescore.ts'

export type RecallNeeds = {
  store: Pick<Store, 'traces'>
  embedder: Embedder
  indexes: IndexCache
  // What serves a persona whose memories are still being embedded anew.
  servingOf?: ((personaId: number) => Serving | undefined) | undefined
  rerank?: Rerank | undefined
  // Resolves when the models may be used for this persona, with what ends that: a flood of one persona's questions
  // does not stand before another's. A message's first turn may be refused with AppError('unavailable'), later ones
  // are not.
  takeTurn?(personaId: number, which: 'first' | 'later'): Promise<() => void>
  // Receives the error of a model that failed: the question is answered without it.
  onTrouble?(error: unknown): void
}

export type RecallOptions = {
  documentIds?: string[] | undefined // only from these
  size?: number
}

export const recall = (
  needs: RecallNeeds,
  persona: Persona,
  query: Query,
  { documentIds, size = serviceLimits.recallSize }: RecallOptions = {},
): Promise<Recollection[]> =>
  inSpan('recall', { facts: { 'memoir.size': size, 'memoir.documents': documentIds?.length } }, async () => {
    const endTurn = await needs.takeTurn?.(persona.id, 'later')
    try {
      return await find(needs, persona, query, documentIds, size)
    } finally {
      endTurn?.()
    }
  })

async function find(
  needs: RecallNeeds,
  persona: Persona,
  query: Query,
  documentIds: string[] | undefined,
  size: number,
): Promise<Recollection[]> {
  const { store, rerank } = needs
  const { embedder, indexes } = needs.servingOf?.(persona.id) ?? needs
  const speakers = await indexes.use(persona.id, ({ columns }) => new Set(query.names.filter(columns.isSpeaker)))
  const vector = await embed({ ...needs, embedder }, query, withoutNames(query.sought, speakers))
  const among = documentIds && new Set(documentIds.map(documentKey))
  const result = await indexes.use(persona.id, (index) =>
    index.search({ ...query, speakers, vector }, candidatesFor(size), among),
  )
  const memories = await store.traces.lookUp(persona.id, numbersOf(result.best, rerank !== undefined))
  const whose = { speaker: persona.name, isNamed: query.names.some((name) => isPartOf(persona.name, name)) }
  const ranked = await tryRerank(needs, query.question, rescore(query.sequence, result, memories, whose))
  return onePerMemory(ranked)
    .slice(0, size)
    .map(({ number: _, isPlain: __, ...one }) => one)
}

// "imogen" of "Imogen Tranter".
const isPartOf = (whole: string, name: string): boolean =>
  whole
    .toLowerCase()
    .split(/[\s.,]+/)
    .includes(name)

// A reader sees a turn with the question it answers; nobody else needs that.
const numbersOf = (best: Found[], isRead: boolean): number[] => {
  const before = isRead ? best.slice(0, limits.rerankCandidates).flatMap((one) => one.before ?? []) : []
  return [...new Set([...best.map((one) => one.number), ...before])]
}

// Some are dropped later: several pieces of one memory, and what was deleted a moment ago.
const candidatesFor = (size: number): number => Math.max(limits.candidates, 2 * size)

// The order of the first scores is good enough where there is no reader, or where it fails.
async function tryRerank(
  { rerank, onTrouble }: RecallNeeds,
  question: string,
  candidates: Candidate[],
): Promise<Candidate[]> {
  try {
    return rerank ? await rerank(question, candidates) : candidates
  } catch (error) {
    onTrouble?.(error)
    return candidates
  }
}

// Without its meaning a question can still be answered by its words: better than not at all.
async function embed(
  { embedder, onTrouble }: RecallNeeds,
  { sought, meaning }: Query,
  text: string,
): Promise<Float32Array | null> {
  if (text === sought && meaning?.embedder === embedder.name) return meaning.vector
  try {
    return (await embedder.embed([text], 'question'))[0] ?? null
  } catch (error) {
    onTrouble?.(error)
    return null
  }
}

// A long plain memory is stored in pieces, but it is one memory: its best piece stands for it.
function onePerMemory(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ isPlain, memory: { documentId } }) => {
    if (!isPlain) return true
    if (seen.has(documentId)) return false
    seen.add(documentId)
    return true
  })
}
