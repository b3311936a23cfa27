// From a question to the memories that may answer it, best first.
import { limits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import type { Store } from '../ports/store.ts'
import { contentWords } from './words.ts'

export type RecallNeeds = { store: Pick<Store, 'memories'> }

export type RecallOptions = { documentIds?: string[] | undefined; size?: number }

export function recall(
  { store }: RecallNeeds,
  persona: Persona,
  question: string,
  options: RecallOptions,
): Promise<Recollection[]> {
  const words = contentWords(question).slice(0, limits.questionWords)
  return store.memories.search(persona.id, words, options.size ?? limits.recallSize, options.documentIds)
}
