// Text memories.
import { limits } from '../../contract/limits.ts'
import type { Document } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { parseTime, timeExamples } from '../../domain/time.ts'
import { awaitOwnWrites } from '../conversations/converse.ts'
import { keptSession } from '../conversations/session.ts'
import { memoryDocument } from '../documents/new-document.ts'
import type { Needs } from '../needs.ts'
import { legacyFields, onceOf } from '../once.ts'
import type { Implementation } from '../request.ts'
import { presentMemories, presentMemory, presentRecollection } from './present.ts'
import { recallFor } from './recall-for.ts'

export const memory: Implementation<'memory'> = async (needs, { caller, persona, body }) => {
  const { legacy } = caller.key
  const sourceName = body.SourceName ?? (legacy ? body.SourceApp || 'api' : undefined)
  if (sourceName === undefined) throw new AppError('invalid', 'SourceName is missing.')
  const createdTime = body.Createdtime ?? (legacy ? body.StartTime || undefined : undefined)
  const created = createdTime === undefined ? undefined : parseTime(createdTime)
  if (createdTime !== undefined && !created) {
    const reason = `Createdtime is no time this service understands; write ${timeExamples}.`
    throw new AppError('invalid', `AI memory cannot be uploaded. ${reason}`)
  }
  const document = memoryDocument(persona, caller, body.Text, sourceName.slice(0, limits.nameCharacters), {
    rawText: body.RawFeedText ?? null,
    tags: body.Tags ?? [],
    timeGiven: created !== undefined,
    ...(created && { startTime: created }),
  })
  const id = await needs.store.documents.add(document, { once: await onceOf(caller, 'memory', body) })
  caller.onDocument?.(id)
  needs.onAccepted()
  return { ...presentMemory(await sameAgain(needs, document, id)), ...legacyFields(caller) }
}

export const memoryList: Implementation<'memoryList'> = async ({ store }, { persona, query }) =>
  presentMemories(await store.memories.list(persona.id, { limit: query.size }))

// As a message would recall it: what was acknowledged a moment ago is waited for.
export const recall: Implementation<'recall'> = async (needs, { caller, persona, body }) => {
  await awaitOwnWrites(needs, persona)
  const sessionId = body.SessionId && (await keptSession(needs, caller, persona, body.SessionId))
  const asked = { question: body.Text, sessionId, size: body.size, at: new Date() }
  const found = await recallFor(needs, persona, asked)
  return { recollections: found.map(presentRecollection).map(({ parts: _, ...shown }) => shown) }
}

export const embed: Implementation<'embed'> = async ({ embedder }, { body }) => {
  const vectors = await embedder.embed(body.Texts, 'memory')
  return { embedder: embedder.name, vectors: vectors.map((vector) => Array.from(vector)) }
}

// A memory that came before is answered for as it was stored, and, where it was deleted since, as it would have been.
const sameAgain = async ({ store }: Needs, document: Document, id: string): Promise<Document> =>
  id === document.id ? document : ((await store.documents.get(document.personaId, id)) ?? { ...document, id })
