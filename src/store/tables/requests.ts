// Requests that must count once: their caller names them, and may send them again without fear.
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import type { Once, RequestClaim, Requests } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import type { RequestRow } from './schema.ts'

// `leaseHolder` opens the name of each lease, so that the leases of a dead process can be told.
export function requests({ quickly }: Database, leaseHolder: string): Requests {
  return {
    claim: (personaId, { name, fingerprint }, at) =>
      quickly(async (tx) => {
        const lease = `${leaseHolder}/${newId()}`
        const lease_until = at.getTime() + limits.answerMs
        const request = { persona_id: personaId, name, fingerprint, document_id: '', created_at: at.getTime() }
        const before = await insertOrFind(tx, { ...request, lease, lease_until })
        if (!before) return { personaId, name, lease }
        if (before.fingerprint !== fingerprint)
          throw new AppError('name_reused', 'This Idempotency-Key was used for another request.')
        if (before.lease === null) return { replyId: before.document_id }
        // One that runs out later than it could was begun by a clock that was ahead.
        const isHeld = before.lease_until! > at.getTime() && before.lease_until! <= lease_until
        if (isHeld || !(await takeOver(tx, before, { lease, lease_until }))) throw inFlight()
        return { personaId, name, lease }
      }),

    release: (claim) =>
      quickly(async (tx) => {
        await tx
          .deleteFrom('requests')
          .where('persona_id', '=', claim.personaId)
          .where('name', '=', claim.name)
          .where('lease', '=', claim.lease)
          .execute()
      }),
  }
}

// With what the reply leaves behind, in its transaction: there is no effect without an answer to give again.
export async function keepAnswer(tx: Writing, { personaId, name, lease }: RequestClaim, replyId: string) {
  const kept = await tx
    .updateTable('requests')
    .set({ document_id: replyId, lease: null, lease_until: null })
    .where('persona_id', '=', personaId)
    .where('name', '=', name)
    .where('lease', '=', lease)
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) throw inFlight()
}

// The id of the document that this request became when it came before. Two of the same name at once wait for each
// other.
export async function keptBefore(
  tx: Writing,
  { personaId, id, createdAt }: { personaId: number; id: string; createdAt: Date },
  { name, fingerprint }: Once,
): Promise<string | undefined> {
  const request = { persona_id: personaId, name, fingerprint, document_id: id, created_at: createdAt.getTime() }
  const before = await insertOrFind(tx, { ...request, lease: null, lease_until: null })
  if (before && before.fingerprint !== fingerprint)
    throw new AppError('conflict', 'This Idempotency-Key was used for another request.')
  return before?.document_id
}

// Undefined when it was inserted; what is older than a day has gone.
async function insertOrFind(tx: Writing, request: RequestRow): Promise<RequestRow | undefined> {
  await tx
    .deleteFrom('requests')
    .where('persona_id', '=', request.persona_id)
    .where('created_at', '<', request.created_at - limits.idempotencyMs)
    .execute()
  const first = await tx
    .insertInto('requests')
    .values(request)
    .onConflict((on) => on.columns(['persona_id', 'name']).doNothing())
    .executeTakeFirst()
  if (first.numInsertedOrUpdatedRows) return undefined
  const before = await tx
    .selectFrom('requests')
    .selectAll()
    .where('persona_id', '=', request.persona_id)
    .where('name', '=', request.name)
    .executeTakeFirst()
  // Whoever had it may have released it this moment.
  return before ?? insertOrFind(tx, request)
}

async function takeOver(tx: Writing, before: RequestRow, after: Pick<RequestRow, 'lease' | 'lease_until'>) {
  const taken = await tx
    .updateTable('requests')
    .set(after)
    .where('persona_id', '=', before.persona_id)
    .where('name', '=', before.name)
    .where('lease', '=', before.lease)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

const inFlight = () =>
  new AppError('conflict', 'A request with this Idempotency-Key is being answered; send it again in a moment.', {
    retryAfterS: limits.inFlightRetryS,
  })
