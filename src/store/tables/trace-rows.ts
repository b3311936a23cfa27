// Writing traces: always in the transaction that writes their memories, and noted as a change of the persona.

import type { Memory } from '../../domain/memory.ts'
import type { Trace } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Writing } from './database.ts'

export async function insertTraces(
  tx: Writing,
  fresh: { memory: Pick<Memory, 'personaId' | 'documentId' | 'time'>; number: number; trace: Trace }[],
): Promise<void> {
  await tx
    .insertInto('traces')
    .values(
      fresh.map(({ memory, number, trace }) => ({
        persona_id: memory.personaId,
        number,
        document_id: memory.documentId,
        time: memory.time.getTime(),
        speaker: trace.speaker,
        is_turn: trace.isTurn ? 1 : 0,
        is_self: trace.isSelf ? 1 : 0,
        words: trace.words,
      })),
    )
    .execute()
  await tx
    .insertInto('vectors')
    .values(
      fresh.map(({ memory, number, trace }) => ({
        persona_id: memory.personaId,
        number,
        embedder: trace.embedder,
        bytes: trace.vector,
      })),
    )
    .execute()
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

// Whoever notes a change of this persona waits for the one before: changes are seen in the order of their numbers.
// The oldest notes go: whoever is that far behind reads everything again.
export async function noteChange(tx: Writing, personaId: number, documentId: string): Promise<void> {
  const { sequence } = await tx
    .insertInto('versions')
    .values({ persona_id: personaId, sequence: 1 })
    .onConflict((on) => on.column('persona_id').doUpdateSet((now) => ({ sequence: now('versions.sequence', '+', 1) })))
    .returning('sequence')
    .executeTakeFirstOrThrow()
  await tx.insertInto('changes').values({ persona_id: personaId, sequence, document_id: documentId }).execute()
  const oldest = sequence - limits.changesKept
  if (oldest > 0)
    await tx.deleteFrom('changes').where('persona_id', '=', personaId).where('sequence', '<=', oldest).execute()
}
