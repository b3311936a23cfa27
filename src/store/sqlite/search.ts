// Words: an FTS5 index over all memories. The persona is a word of its own, so that a search walks only its memories.
import { sql } from 'kysely'
import type { Memories } from '../../ports/store.ts'
import type { Database, Words } from '../tables/database.ts'
import { recollectionFromRow } from '../tables/memories.ts'
import type { MemoryRow } from '../tables/schema.ts'

export const words: Words = {
  async addDocument(tx, personaId, documentId) {
    await sql`insert into memory_words (rowid, persona, text)
      select number, ${personaWord(personaId)}, text from memories
      where persona_id = ${personaId} and document_id = ${documentId}`.execute(tx)
  },
  async remove(tx, memoryNumbers) {
    for (const number of memoryNumbers) await sql`delete from memory_words where rowid = ${number}`.execute(tx)
  },
  async removeDocuments(tx, personaId, documentIds) {
    for (const id of documentIds) {
      await sql`delete from memory_words where rowid in
        (select number from memories where persona_id = ${personaId} and document_id = ${id})`.execute(tx)
    }
  },
  async removePersona(tx, personaId) {
    await sql`delete from memory_words where rowid in
      (select number from memories where persona_id = ${personaId})`.execute(tx)
  },
}

export function search(read: Database['read']): Memories['search'] {
  return async (personaId, questionWords, limit, documentIds) => {
    if (questionWords.length === 0) return []
    const anyWord = questionWords.map((word) => `"${word.replaceAll('"', '')}"`).join(' OR ')
    const match = `persona : ${personaWord(personaId)} AND text : (${anyWord})`
    const among =
      documentIds === undefined
        ? sql`documents.is_draft = 0`
        : sql`documents.id in (select value from json_each(${JSON.stringify(documentIds)}))`
    const { rows } = await sql<MemoryRow & { title: string; tags: string; rank: number }>`
      select memories.*, documents.title, documents.tags, bm25(memory_words, 0.0, 1.0) as rank
      from memory_words
      join memories on memories.number = memory_words.rowid
      join documents on documents.persona_id = memories.persona_id and documents.id = memories.document_id
      where memory_words match ${match} and memories.persona_id = ${personaId} and ${among}
      order by rank limit ${limit}`.execute(read)
    return rows.map((row) => recollectionFromRow(row, -row.rank, { words: -row.rank }))
  }
}

const personaWord = (personaId: number): string => `p${personaId}`
