// Traces: what recall searches by, and the notes by which whoever holds them in memory follows their changes.
import { sql } from 'kysely'
import type { Traces } from '../../ports/store.ts'
import type { Database } from './database.ts'
import { joinedToDocuments, knownMemoryFromRow } from './memories.ts'
import { prepared } from './prepared.ts'
import { noteChange } from './trace-rows.ts'

export function traces({ read, query, durably }: Pick<Database, 'read' | 'query' | 'durably'>): Traces {
  const version = prepared({ query }, (personaId: number) =>
    read.selectFrom('versions').select('sequence').where('persona_id', '=', personaId),
  )
  const withDocuments = prepared({ query }, (personaId: number, ...numbers: number[]) =>
    joinedToDocuments(read)
      .innerJoin('traces', (join) =>
        join.onRef('traces.persona_id', '=', 'memories.persona_id').onRef('traces.number', '=', 'memories.number'),
      )
      .selectAll('memories')
      .select(['documents.title', 'documents.tags', 'documents.kind', 'traces.words'])
      .where('memories.persona_id', '=', personaId)
      .where('memories.number', 'in', numbers),
  )
  const ofPersona = (personaId: number, embedder: string) =>
    read
      .selectFrom('traces')
      .leftJoin('vectors', (join) =>
        join
          .onRef('vectors.persona_id', '=', 'traces.persona_id')
          .onRef('vectors.number', '=', 'traces.number')
          .on('vectors.embedder', '=', embedder),
      )
      .select(['traces.number', 'document_id', 'time', 'speaker', 'is_turn', 'is_self', 'words', 'vectors.bytes'])
      .where('traces.persona_id', '=', personaId)
      .orderBy('traces.number')

  return {
    async sequence(personaId) {
      const [last] = await version(personaId)
      return last?.sequence ?? 0
    },

    async changedSince(personaId, sequence) {
      const changes = await read
        .selectFrom('changes')
        .select(['sequence', 'document_id'])
        .where('persona_id', '=', personaId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .execute()
      const isWhole = changes.length === 0 || changes[0]!.sequence === sequence + 1
      return isWhole ? [...new Set(changes.map((change) => change.document_id))] : undefined
    },

    async page(personaId, embedder, { after, limit }) {
      const rows = await ofPersona(personaId, embedder).where('traces.number', '>', after).limit(limit).execute()
      return rows.map(fromRow)
    },

    async ofDocuments(personaId, embedder, documentIds) {
      const rows = await ofPersona(personaId, embedder).where('document_id', 'in', documentIds).execute()
      return rows.map(fromRow)
    },

    async drafts(personaId) {
      const rows = await read
        .selectFrom('documents')
        .select('id')
        .where('persona_id', '=', personaId)
        .where('is_draft', '=', sql.lit(1))
        .execute()
      return rows.map((row) => row.id)
    },

    async lookUp(personaId, numbers) {
      if (numbers.length === 0) return []
      const rows = await withDocuments(personaId, ...numbers)
      return rows.map((row) => ({
        ...knownMemoryFromRow(row),
        number: row.number,
        isPlain: row.kind === 'memory',
        words: row.words,
      }))
    },

    async withoutVector(personaId, embedder, { after, limit }) {
      const rows = await read
        .selectFrom('traces')
        .leftJoin('vectors', (join) =>
          join
            .onRef('vectors.persona_id', '=', 'traces.persona_id')
            .onRef('vectors.number', '=', 'traces.number')
            .on('vectors.embedder', '=', embedder),
        )
        .select(['traces.number', 'vectors.number as seen'])
        .where('traces.persona_id', '=', personaId)
        .where('traces.number', '>', after)
        .orderBy('traces.number')
        .limit(limit)
        .execute()
      return {
        numbers: rows.filter(({ seen }) => seen === null).map(({ number }) => number),
        next: rows.length < limit ? null : rows.at(-1)!.number,
      }
    },

    async addVectors(personaId, embedder, vectors) {
      await durably(async (tx) => {
        for (const { number, documentId, bytes } of vectors) {
          // The memory may have gone since it was read.
          const row = { persona_id: personaId, number, embedder, bytes }
          const known = await tx
            .selectFrom('traces')
            .select('number')
            .where('persona_id', '=', personaId)
            .where('number', '=', number)
            .executeTakeFirst()
          if (!known) continue
          await tx
            .insertInto('vectors')
            .values(row)
            .onConflict((on) => on.doNothing())
            .execute()
          await noteChange(tx, personaId, documentId)
        }
      })
    },
  }
}

type Row = {
  number: number
  document_id: string
  time: number
  speaker: string | null
  is_turn: number
  is_self: number
  words: Uint8Array
  bytes: Uint8Array | null
}

const fromRow = (row: Row) => ({
  number: row.number,
  documentId: row.document_id,
  time: row.time,
  speaker: row.speaker,
  isTurn: row.is_turn === 1,
  isSelf: row.is_self === 1,
  words: row.words,
  vector: row.bytes,
})
