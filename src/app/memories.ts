// Text memories.
import * as api from '../contract/public-api.ts'
import { AppError } from '../domain/errors.ts'
import { parseTime, timeExamples } from '../domain/time.ts'
import { authorize, type Caller } from './access.ts'
import { legacyFields, memoryDocument } from './documents.ts'
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
  await needs.store.documents.add(document)
  needs.onAccepted()
  return { ...presentMemory(document), ...legacyFields(caller) }
}
