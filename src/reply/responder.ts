// What every way of replying receives: what was understood of a message and, once one of them asks, what was recalled.
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import {
  type AgeThen,
  type Query,
  queryFor,
  selfQuestion,
  type Understood,
  whenQuestion,
} from '../language/language.ts'
import type { ChatModel, Reader } from '../ports/models.ts'
import type { Store } from '../ports/store.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { forgetReading } from '../recall/rerank.ts'
import type { Reply } from './compose.ts'
import { limits } from './limits.ts'

export type ReplyNeeds = RecallNeeds & {
  store: Pick<Store, 'traces' | 'documents' | 'memories'>
  reader?: Reader | undefined
  chat?: ChatModel | undefined
  withoutModel?: string | null // why there is no chat model where one is set
}

export type Listening = {
  signal?: AbortSignal | undefined
  onText?: ((delta: string) => void) | undefined // without citations; together the deltas are the text
}

export type Request = Listening & {
  message: Understood
  documentIds?: string[] | undefined // answer only from these
  userName?: string | undefined
  context?: string | undefined // what the caller adds, for a chat model
}

export type Recalled = {
  question: string // that the recollections were searched for and read with
  recollections: Recollection[]
  memories: number // that there are to recall
  tookMs: number
}

export type Occasion = {
  needs: ReplyNeeds
  persona: Persona
  request: Request
  recalled(): Promise<Recalled> // recalls at the first call, and never again
}

// Null where another is to reply.
export type Responder = (occasion: Occasion) => Promise<Reply | null> | Reply | null

// What a message makes recall search for.
export type Search = { query: Query; size: number }

export function createOccasion(needs: ReplyNeeds, persona: Persona, request: Request, search: Search): Occasion {
  let recalled: Promise<Recalled> | undefined
  return { needs, persona, request, recalled: () => (recalled ??= recallFor(needs, persona, request, search)) }
}

async function recallFor(
  needs: ReplyNeeds,
  persona: Persona,
  { documentIds }: Request,
  { query, size }: Search,
): Promise<Recalled> {
  const began = performance.now()
  const recollections = await recall(needs, persona, query, { documentIds, size })
  const { indexes } = needs.servingOf?.(persona.id) ?? needs
  const memories = await indexes.use(persona.id, ({ columns }) => columns.live())
  return { question: query.question, recollections, memories, tookMs: performance.now() - began }
}

// Nothing in "How old were you when you married?" says that a birth is looked for.
const withBirth = (question: string, { birth, event }: AgeThen): Query =>
  queryFor([question, birth, whenQuestion(event)].join(' '))

export function searchFor({ chat }: ReplyNeeds, { query, kind, comparison, ageThen, overview }: Understood): Search {
  if (chat) return { query, size: limits.promptRecollections }
  if (comparison) return { query, size: limits.listRecollections }
  if (ageThen) return { query: withBirth(query.question, ageThen), size: limits.listRecollections }
  if (overview) return { query: queryFor(overview.subject), size: limits.listRecollections }
  if (kind === 'about-self') return { query: queryFor(selfQuestion), size: limits.listRecollections }
  if (kind === 'about-topic' || kind === 'list') return { query, size: limits.listRecollections }
  return { query, size: limits.answerRecollections }
}

// What was recalled, for a question that may be another than the one it was searched for: then it is read again, but
// not searched for again.
export async function readFor(
  { rerank, onTrouble }: RecallNeeds,
  question: string,
  { question: read, recollections }: Recalled,
): Promise<Recollection[]> {
  if (question === read || !rerank) return recollections
  const unread = recollections.map(forgetReading).sort((one, two) => two.score - one.score)
  return rerank(question, unread).catch((error: unknown) => {
    onTrouble?.(error)
    return unread
  })
}

export const bestFor = async (needs: RecallNeeds, question: string, recalled: Recalled): Promise<Recollection[]> =>
  (await readFor(needs, question, recalled)).slice(0, limits.listRecollections)
