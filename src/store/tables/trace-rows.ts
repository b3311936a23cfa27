// Writing traces: always in the transaction that writes their memories, and noted as a change of the persona.
import { limits } from '../../domain/limits.ts'
import type { Trace } from '../../ports/store.ts'
import type { Writing } from './database.ts'

export async function insertTrace(
  tx: Writing,
  { personaId, documentId, time }: { personaId: number; documentId: string; time: Date },
  number: number,
  trace: Trace,
): Promise<void> {
  await tx
    .insertInto('traces')
    .values({
      persona_id: personaId,
      number,
      document_id: documentId,
      time: time.getTime(),
      speaker: trace.speaker,
      is_turn: trace.isTurn ? 1 : 0,
      is_self: trace.isSelf ? 1 : 0,
      words: trace.words,
    })
    .execute()
  await tx
    .insertInto('vectors')
    .values({ persona_id: personaId, number, embedder: trace.embedder, bytes: trace.vector })
    .execute()
}

export async function removeTrace(tx: Writing, personaId: number, number: number): Promise<void> {
  for (const table of ['traces', 'vectors'] as const)
    await tx.deleteFrom(table).where('persona_id', '=', personaId).where('number', '=', number).execute()
}

// To be called while the document's memories are still there.
export async function removeTracesOf(tx: Writing, personaId: number, documentId: string): Promise<void> {
  const numbers = tx
    .selectFrom('memories')
    .select('number')
    .where('persona_id', '=', personaId)
    .where('document_id', '=', documentId)
  for (const table of ['traces', 'vectors'] as const)
    await tx.deleteFrom(table).where('persona_id', '=', personaId).where('number', 'in', numbers).execute()
  await noteChange(tx, personaId, documentId)
}

// The oldest notes go: whoever is that far behind reads everything again.
export async function noteChange(tx: Writing, personaId: number, documentId: string): Promise<void> {
  const { sequence } = await tx
    .insertInto('changes')
    .columns(['persona_id', 'document_id', 'sequence'])
    .expression((of) =>
      of
        .selectFrom('changes')
        .select(({ fn, val, lit, eb }) => [
          val(personaId).as('persona_id'),
          val(documentId).as('document_id'),
          eb(fn.coalesce(fn.max('sequence'), lit(0)), '+', lit(1)).as('sequence'),
        ])
        .where('persona_id', '=', personaId),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow()
  const oldest = sequence - limits.recallChangesKept
  if (oldest > 0)
    await tx.deleteFrom('changes').where('persona_id', '=', personaId).where('sequence', '<=', oldest).execute()
}
