// Text memories.
import * as api from '../contract/public-api.ts'
import type { Document } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import { parseTime, timeExamples } from '../domain/time.ts'
import { authorize, type Caller } from './access.ts'
import { legacyFields, memoryDocument, onceOf } from './documents.ts'
import type { Needs } from './needs.ts'
import { presentMemory } from './present.ts'
import { validate } from './validate.ts'

export async function memory(needs: Needs, caller: Caller, given: unknown) {
  const request = validate(api.memory.body, given, needs.limits.textCharacters)
  if (request.SourceName === undefined && !caller.key.legacy) throw new AppError('invalid', 'SourceName is missing.')
  const created = request.Createdtime === undefined ? undefined : parseTime(request.Createdtime)
  if (request.Createdtime !== undefined && !created) {
    const reason = `Createdtime is no time this service understands; write ${timeExamples}.`
    throw new AppError('invalid', `AI memory cannot be uploaded. ${reason}`)
  }
  const persona = await authorize(needs.store, caller, api.memory, request.DomainName)
  const document = memoryDocument(persona, caller, request.Text, request.SourceName ?? 'api', {
    rawText: request.RawFeedText ?? null,
    tags: request.Tags ?? [],
    timeGiven: created !== undefined,
    ...(created && { startTime: created }),
  })
  const id = await needs.store.documents.add(document, { once: await onceOf(caller, api.memory, request) })
  needs.onAccepted()
  return { ...presentMemory(await sameAgain(needs, document, id)), ...legacyFields(caller) }
}

// A memory that came before is answered for as it was kept, and, where it was deleted since, as it would have been.
const sameAgain = async ({ store }: Needs, document: Document, id: string): Promise<Document> =>
  id === document.id ? document : ((await store.documents.get(document.personaId, id)) ?? { ...document, id })
