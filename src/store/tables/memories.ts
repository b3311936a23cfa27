// Memories: what documents became.
import type { KnownMemory, Memory } from '../../domain/memory.ts'
import type { Learned, Memories, Trace } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { holdsTag } from './document-list.ts'
import { leaveDrafts, locked, removeDocument } from './documents.ts'
import { leaveDeliveries } from './events.ts'
import { emptyReceipt } from './receipt.ts'
import { leaveReplies } from './replies.ts'
import type { MemoryRow } from './schema.ts'
import { insertTraces, noteChange } from './trace-rows.ts'

export const joinedToDocuments = (read: Database['read']) =>
  read
    .selectFrom('memories')
    .innerJoin('documents', (join) =>
      join.onRef('documents.persona_id', '=', 'memories.persona_id').onRef('documents.id', '=', 'memories.document_id'),
    )

export function memories({ read, durably }: Database): Memories {
  const withDocuments = (personaId: number) =>
    joinedToDocuments(read)
      .selectAll('memories')
      .select(['documents.title', 'documents.tags', 'documents.kind', 'documents.is_draft', 'documents.source_name'])
      .where('memories.persona_id', '=', personaId)

  return {
    async list(personaId, { limit, before }) {
      let query = withDocuments(personaId)
      if (before !== undefined) query = query.where('memories.id', '<', before)
      return (await query.orderBy('memories.id', 'desc').limit(limit).execute()).map(knownMemoryFromRow)
    },

    async get(personaId, ids) {
      if (ids.length === 0) return []
      const rows = await withDocuments(personaId).where('memories.id', 'in', ids).execute()
      return rows.map(knownMemoryFromRow)
    },

    async timeline(personaId, { limit, before, isPlain, tag, source, since, until }) {
      let query = withDocuments(personaId)
      if (isPlain !== undefined) query = query.where('documents.kind', isPlain ? '=' : '<>', 'memory')
      if (tag !== undefined) query = query.where('documents.tags', 'like', holdsTag(tag))
      if (source !== undefined) query = query.where('documents.source_name', '=', source)
      if (since) query = query.where('memories.time', '>=', since.getTime())
      if (until) query = query.where('memories.time', '<=', until.getTime())
      if (before !== undefined) {
        const last = await read
          .selectFrom('memories')
          .select(['time', 'number'])
          .where('persona_id', '=', personaId)
          .where('id', '=', before)
          .executeTakeFirst()
        if (!last) return []
        query = query.where((is) =>
          is.or([
            is('memories.time', '<', last.time),
            is.and([is('memories.time', '=', last.time), is('memories.number', '<', last.number)]),
          ]),
        )
      }
      const rows = await query
        .orderBy('memories.time', 'desc')
        .orderBy('memories.number', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        ...knownMemoryFromRow(row),
        kind: row.kind,
        isDraft: row.is_draft === 1,
        source: row.source_name,
      }))
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
        // A plain memory is nothing without its text; a document lives on with one passage less.
        const document = await locked(tx, personaId, row.document_id)
        if (document?.kind === 'memory') return removeDocument(tx, personaId, row.document_id)
        await leaveDrafts(tx, personaId, { memory_id: id })
        await leaveReplies(tx, personaId, row.document_id)
        await leaveDeliveries(tx, personaId, row.document_id)
        await removeMemories(tx, personaId, [row.number])
        await noteChange(tx, personaId, row.document_id)
        return { ...emptyReceipt, memories: 1 }
      }),

    async ofDocument(personaId, documentId, embedder) {
      const rows = await read
        .selectFrom('memories')
        .innerJoin('vectors', (join) =>
          join
            .onRef('vectors.persona_id', '=', 'memories.persona_id')
            .onRef('vectors.number', '=', 'memories.number')
            .on('vectors.embedder', '=', embedder),
        )
        .selectAll('memories')
        .where('memories.persona_id', '=', personaId)
        .where('memories.document_id', '=', documentId)
        .execute()
      return rows.map(memoryFromRow)
    },
  }
}

// What is the same as before stays as it is, but for its place; the rest goes, and what is new comes.
export async function replaceMemories(
  tx: Writing,
  personaId: number,
  documentId: string,
  learned: Pick<Learned, 'memories' | 'traces'>,
) {
  const before = await tx
    .selectFrom('memories')
    .select(['id', 'number'])
    .where('persona_id', '=', personaId)
    .where('document_id', '=', documentId)
    .execute()
  const stays = new Set(learned.memories.flatMap(({ id }, at) => (learned.traces[at] === null ? [id] : [])))
  const gone = before.filter(({ id }) => !stays.has(id))
  await removeMemories(
    tx,
    personaId,
    gone.map(({ number }) => number),
  )
  const fresh: { memory: Memory; trace: Trace }[] = []
  for (const [at, memory] of learned.memories.entries()) {
    const trace = learned.traces[at]
    if (trace) fresh.push({ memory, trace })
    else
      await tx
        .updateTable('memories')
        .set(toRow(memory))
        .where('persona_id', '=', personaId)
        .where('id', '=', memory.id)
        .execute()
  }
  for (const some of slices(fresh)) {
    await insertMemories(tx, some)
    // An embedded engine never waits: without a pause a book would hold the event loop until all of it is written.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await noteChange(tx, personaId, documentId)
}

// So many at a time: a statement for each would wait for the engine as often, and an engine takes only so many values.
const slices = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / limits.writeRows) }, (_, n) =>
    all.slice(n * limits.writeRows, (n + 1) * limits.writeRows),
  )

async function insertMemories(tx: Writing, fresh: { memory: Memory; trace: Trace }[]): Promise<void> {
  const rows = await tx
    .insertInto('memories')
    .values(fresh.map(({ memory }) => toRow(memory)))
    .returning(['id', 'number'])
    .execute()
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  await insertTraces(
    tx,
    fresh.map(({ memory, trace }) => ({ memory, trace, number: numbers.get(memory.id)! })),
  )
}

async function removeMemories(tx: Writing, personaId: number, numbers: number[]): Promise<void> {
  for (const some of slices(numbers))
    for (const table of ['traces', 'vectors', 'memories'] as const)
      await tx.deleteFrom(table).where('persona_id', '=', personaId).where('number', 'in', some).execute()
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
  page_starts: memory.place.pageStarts.length > 0 ? JSON.stringify(memory.place.pageStarts) : null,
  start: memory.place.start,
  end: memory.place.end,
  speaker: memory.place.speaker,
})

export const memoryFromRow = (row: Omit<MemoryRow, 'number'>): Memory => ({
  personaId: row.persona_id,
  id: row.id,
  documentId: row.document_id,
  position: row.position,
  text: row.text,
  time: new Date(row.time),
  place: {
    headings: JSON.parse(row.headings),
    page: row.page,
    pageStarts: row.page_starts === null ? [] : JSON.parse(row.page_starts),
    start: row.start,
    end: row.end,
    speaker: row.speaker,
  },
})

type JoinedRow = Omit<MemoryRow, 'number'> & { title: string; tags: string }

export const knownMemoryFromRow = (row: JoinedRow): KnownMemory => ({
  memory: memoryFromRow(row),
  title: row.title,
  tags: JSON.parse(row.tags),
})
