// Memories: what documents became.
import type { Memory, Recollection } from '../../domain/memory.ts'
import type { Memories } from '../../ports/store.ts'
import type { Database, Writing } from './database.ts'
import { removeDocument } from './documents.ts'
import { emptyReceipt } from './receipt.ts'
import type { MemoryRow } from './schema.ts'

export function memories({ read, durably, words }: Database): Omit<Memories, 'search'> {
  return {
    async list(personaId, { limit, before }) {
      let query = read
        .selectFrom('memories')
        .innerJoin('documents', (join) =>
          join
            .onRef('documents.persona_id', '=', 'memories.persona_id')
            .onRef('documents.id', '=', 'memories.document_id'),
        )
        .selectAll('memories')
        .select(['documents.title', 'documents.tags'])
        .where('memories.persona_id', '=', personaId)
      if (before !== undefined) query = query.where('memories.id', '<', before)
      return (await query.orderBy('memories.id', 'desc').limit(limit).execute()).map((row) =>
        recollectionFromRow(row, 0),
      )
    },

    remove: (personaId, id) =>
      durably(async (tx) => {
        const row = await tx
          .selectFrom('memories')
          .selectAll()
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row) return undefined
        const document = await tx
          .selectFrom('documents')
          .select('kind')
          .where('persona_id', '=', personaId)
          .where('id', '=', row.document_id)
          .executeTakeFirstOrThrow()
        // A plain memory is nothing without its text; a document lives on with one passage less.
        if (document.kind === 'memory') return removeDocument(tx, words, personaId, row.document_id)
        await words.remove(tx, [row.number])
        await tx.deleteFrom('memories').where('persona_id', '=', personaId).where('id', '=', id).execute()
        return { ...emptyReceipt, memories: 1 }
      }),
  }
}

export async function replaceMemories(
  tx: Writing,
  words: Database['words'],
  personaId: number,
  documentId: string,
  learned: Memory[],
) {
  await words.removeDocuments(tx, personaId, [documentId])
  await tx.deleteFrom('memories').where('persona_id', '=', personaId).where('document_id', '=', documentId).execute()
  for (const memory of learned) await tx.insertInto('memories').values(toRow(memory)).execute()
  await words.addDocument(tx, personaId, documentId)
}

const toRow = (memory: Memory): Omit<MemoryRow, 'number'> => ({
  persona_id: memory.personaId,
  id: memory.id,
  document_id: memory.documentId,
  position: memory.position,
  text: memory.text,
  time: memory.time.getTime(),
  headings: JSON.stringify(memory.place.headings),
  page: memory.place.page,
  start: memory.place.start,
  end: memory.place.end,
  speaker: memory.place.speaker,
})

type JoinedRow = Omit<MemoryRow, 'number'> & { title: string; tags: string }

export const recollectionFromRow = (
  row: JoinedRow,
  score: number,
  parts: Record<string, number> = {},
): Recollection => ({
  memory: {
    personaId: row.persona_id,
    id: row.id,
    documentId: row.document_id,
    position: row.position,
    text: row.text,
    time: new Date(row.time),
    place: { headings: JSON.parse(row.headings), page: row.page, start: row.start, end: row.end, speaker: row.speaker },
  },
  title: row.title,
  tags: JSON.parse(row.tags),
  score,
  parts,
})
