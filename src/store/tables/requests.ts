// Requests that must count once: their caller names them, and may send them again without fear.
import { AppError } from '../../domain/errors.ts'
import type { Once } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Writing } from './database.ts'

// The id of the document that this request became when it came before. Two of the same name at once wait for each
// other.
export async function keptBefore(
  tx: Writing,
  { personaId, id, createdAt }: { personaId: number; id: string; createdAt: Date },
  { name, fingerprint }: Once,
): Promise<string | undefined> {
  const at = createdAt.getTime()
  const request = { persona_id: personaId, name, fingerprint, document_id: id, created_at: at }
  await tx
    .deleteFrom('requests')
    .where('persona_id', '=', personaId)
    .where('created_at', '<', at - limits.idempotencyMs)
    .execute()
  const first = await tx
    .insertInto('requests')
    .values(request)
    .onConflict((on) => on.columns(['persona_id', 'name']).doNothing())
    .executeTakeFirst()
  if (first.numInsertedOrUpdatedRows) return undefined
  const before = await tx
    .selectFrom('requests')
    .select(['fingerprint', 'document_id'])
    .where('persona_id', '=', personaId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (before.fingerprint !== fingerprint)
    throw new AppError('conflict', 'This Idempotency-Key was used for another request.')
  return before.document_id
}
