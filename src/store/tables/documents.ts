// Documents with their bytes and revisions.
import { type ExpressionBuilder, sql } from 'kysely'
import type { Source } from '../../domain/conversation.ts'
import { type Document, unlearned } from '../../domain/document.ts'
import type { Documents } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { isListed, listDocuments } from './document-list.ts'
import { documentFromRow, documentToRow, laneOf, titleKey } from './document-rows.ts'
import { leaveDeliveries } from './events.ts'
import { inTurn } from './in-turn.ts'
import { count, emptyReceipt } from './receipt.ts'
import { leaveReplies } from './replies.ts'
import { keptBefore } from './requests.ts'
import type { DocumentRow, Tables } from './schema.ts'
import { noteChange, removeTracesOf } from './trace-rows.ts'

export function documents({ read, durably }: Database): Documents {
  // Sets changes on one document and answers with it as it is then.
  const change = (personaId: number, id: string, changes: Partial<DocumentRow>, states?: DocumentRow['state'][]) =>
    durably(async (tx) => {
      let update = tx.updateTable('documents').set(changes).where('persona_id', '=', personaId).where('id', '=', id)
      if (states) update = update.where('state', 'in', states)
      const { numUpdatedRows } = await update.executeTakeFirst()
      if (numUpdatedRows > 0n) await noteChange(tx, personaId, id)
      const row = await one(tx, personaId, id)
      return row && documentFromRow(row)
    })

  return {
    add: (document, { file, once } = {}) =>
      durably(async (tx) => {
        const before = once && (await keptBefore(tx, document, once))
        if (before !== undefined) return before
        await insertDocument(tx, document)
        if (file) await insertPieces(tx, document, file())
        return document.id
      }),

    async get(personaId, id) {
      const row = await one(read, personaId, id)
      return row && documentFromRow(row)
    },

    async file(personaId, id) {
      const ofFile = read
        .selectFrom('file_pieces')
        .select('bytes')
        .where('persona_id', '=', personaId)
        .where('document_id', '=', id)
        .orderBy('position')
        .limit(limits.readPieces)
      const pieces: Uint8Array[] = []
      for (;;) {
        const some = await ofFile.where('position', '>=', pieces.length).execute()
        pieces.push(...some.map((piece) => piece.bytes))
        if (some.length < limits.readPieces) return Buffer.concat(pieces)
        // An embedded engine never waits: others have their turn between the pieces.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },

    async pieces(personaId, id, from, most) {
      const some = await read
        .selectFrom('file_pieces')
        .select('bytes')
        .where('persona_id', '=', personaId)
        .where('document_id', '=', id)
        .where('position', '>=', from)
        .orderBy('position')
        .limit(most)
        .execute()
      return some.map((piece) => piece.bytes)
    },

    list: listDocuments({ read }),

    async *wholeInTurn(personaId, { limit, title }) {
      const ofPersona = read.selectFrom('documents').where('persona_id', '=', personaId)
      let listed = ofPersona.select(['id', sql<number>`octet_length(text)`.as('bytes')]).where(isListed)
      if (title !== undefined) listed = listed.where((of) => isTitled(of, title))
      const sizes = await listed.orderBy('id', 'desc').limit(limit).execute()
      yield* inTurn(sizes, async (ids) => {
        const rows = await ofPersona.selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
        return rows.map(documentFromRow)
      })
    },

    async named(personaId, title) {
      const ofPersona = read.selectFrom('documents').select('id').where('persona_id', '=', personaId).where(isListed)
      const exact = await ofPersona.where((of) => isTitled(of, title)).execute()
      if (exact.length > 0) return exact.map((row) => row.id)
      let holding = ofPersona
      for (const word of titleKey(title).split(/\s+/))
        holding = holding.where('title_key', 'like', `%${escapeLike(word)}%`)
      return (await holding.limit(limits.titleMatches).execute()).map((row) => row.id)
    },

    replaceText: (personaId, id, text, at) =>
      durably(async (tx) => {
        const row = await locked(tx, personaId, id)
        if (!row) return undefined
        await keepRevision(tx, row, at)
        const changes: Partial<DocumentRow> = {
          ...waiting(at),
          text,
          characters: text.length,
          lane: laneOf(0, text),
          is_edited: 1,
          updated_at: at.getTime(),
        }
        await tx
          .updateTable('documents')
          .set(changes)
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .execute()
        return documentFromRow({ ...row, ...changes })
      }),

    describe: (personaId, id, { title, tags, sourceName, startTime }) =>
      change(personaId, id, {
        ...(startTime && { ...waiting(new Date()), start_time: startTime.getTime(), time_given: 1 }),
        ...(title !== undefined && { title, title_key: titleKey(title) }),
        ...(tags && { tags: JSON.stringify(tags) }),
        ...(sourceName !== undefined && { source_name: sourceName }),
        updated_at: Date.now(),
        changed_at: Date.now(),
      }),

    publish: (personaId, id) => change(personaId, id, { is_draft: 0, updated_at: Date.now(), changed_at: Date.now() }),

    retry: (personaId, id) => change(personaId, id, waiting(new Date()), ['failed', 'waiting']),

    remove: (personaId, id) => durably((tx) => removeDocument(tx, personaId, id)),

    async revisions(personaId, id, limit) {
      const rows = await read
        .selectFrom('revisions')
        .selectAll()
        .where('persona_id', '=', personaId)
        .where('document_id', '=', id)
        .orderBy('revision', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ revision: row.revision, text: row.text, replacedAt: new Date(row.replaced_at) }))
    },
  }
}

const one = (from: Database['read'], personaId: number, id: string) =>
  from.selectFrom('documents').selectAll().where('persona_id', '=', personaId).where('id', '=', id).executeTakeFirst()

// Touched first, so that whoever else changes this document waits, and nobody waits for two things crosswise.
export const locked = (tx: Writing, personaId: number, id: string) =>
  tx
    .updateTable('documents')
    .set({ id })
    .where('persona_id', '=', personaId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export async function keepRevision(tx: Writing, { persona_id, id, text }: DocumentRow, at: Date): Promise<void> {
  const kept = await count(
    tx.selectFrom('revisions').where('persona_id', '=', persona_id).where('document_id', '=', id),
  )
  const revision = { persona_id, document_id: id, revision: kept + 1, text, replaced_at: at.getTime() }
  await tx.insertInto('revisions').values(revision).execute()
}

export async function insertDocument(tx: Writing, document: Document): Promise<void> {
  await tx.insertInto('documents').values(documentToRow(document)).execute()
}

export async function insertPieces(
  tx: Writing,
  document: Pick<Document, 'personaId' | 'id'>,
  file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let position = 0
  for await (const bytes of file) {
    const piece = { persona_id: document.personaId, document_id: document.id, position: position++, bytes }
    await tx.insertInto('file_pieces').values(piece).execute()
  }
}

export async function removeDocument(tx: Writing, personaId: number, id: string) {
  const row = await locked(tx, personaId, id)
  if (!row) return undefined
  await removeTracesOf(tx, personaId, id)
  await leaveDrafts(tx, personaId, { document_id: id })
  await leaveReplies(tx, personaId, id)
  await leaveDeliveries(tx, personaId, id)
  const parts = { memories: 0, revisions: 0, file_pieces: 0 }
  for (const table of ['memories', 'revisions', 'file_pieces'] as const) {
    const gone = await tx
      .deleteFrom(table)
      .where('persona_id', '=', personaId)
      .where('document_id', '=', id)
      .executeTakeFirst()
    parts[table] = Number(gone.numDeletedRows)
  }
  await tx.deleteFrom('documents').where('persona_id', '=', personaId).where('id', '=', id).execute()
  return {
    ...emptyReceipt,
    documents: 1,
    memories: parts.memories,
    revisions: parts.revisions,
    file_bytes: row.file_bytes,
  }
}

// A draft quotes what it rests on: what is forgotten is not quoted any more.
export async function leaveDrafts(tx: Writing, personaId: number, gone: Partial<Source>): Promise<void> {
  const [[name, forgotten]] = Object.entries(gone) as [[keyof Source, string]]
  const quoting = await tx
    .selectFrom('drafts')
    .select(['id', 'sources'])
    .where('persona_id', '=', personaId)
    .where('sources', 'like', `%${forgotten}%`)
    .execute()
  for (const { id, sources } of quoting) {
    const rest = (JSON.parse(sources) as Source[]).filter((source) => source[name] !== forgotten)
    await tx
      .updateTable('drafts')
      .set({ sources: JSON.stringify(rest) })
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .execute()
  }
}

export const waiting = (at: Date): Partial<DocumentRow> => ({
  ...unlearned,
  due_at: at.getTime(),
  lease: null,
  lease_until: null,
  changed_at: Date.now(),
})

// How a title begins is asked for, too: PostgreSQL's index holds no more of it.
const isTitled = (of: ExpressionBuilder<Tables, 'documents'>, title: string) =>
  of.and([
    of(of.fn('substr', ['title_key', of.lit(1), of.lit(100)]), '=', [...titleKey(title)].slice(0, 100).join('')),
    of('title_key', '=', titleKey(title)),
  ])

// What an engine might take for more than a letter stands for any letter; the exact branch finds such titles first.
const escapeLike = (word: string): string => word.replaceAll(/[%_\\]/g, '_')
