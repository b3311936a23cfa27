// Hands out only what was stored: each text is compared with its sum as it is read. A passage whose document is sound
// is learned again from it, and so is a document from its file; the rest is named until its owner mends it.
import { AppError } from '../../domain/errors.ts'
import type { Claim, Damaged, Documents, Memories, Store, Traces, Work } from '../../ports/store.ts'
import type { Database } from '../tables/database.ts'
import { waiting } from '../tables/documents.ts'
import { isDamagedSql, keyOf, type SummedAt, type SummedTable, sumOf } from './sums.ts'

// `isMended`: it is learned again.
export type OnDamage = (damaged: Damaged & { isMended: boolean }) => void

const WITHHELD = 'This text was damaged on the disk and is not shown.'
const FILE_WITHHELD = 'This file was damaged on the disk: put a backup back, or upload it again.'
const DAMAGED = 'The text of this document was damaged on the disk: put a backup back, or replace its text.'

const WHAT: Record<SummedTable, Damaged['what']> = {
  documents: 'text',
  memories: 'passage',
  revisions: 'revision',
  file_pieces: 'file',
  drafts: 'draft',
  messages: 'message',
}

type Parts = {
  traces: Traces
  memories: Memories
  documents: Documents
  work: Omit<Work, 'announce' | 'onAnnounced'>
}

export type SoundTexts = {
  parts: Parts
  // Damage that was found by looking through the database.
  found(at: SummedAt): Promise<void>
  // Damage that was found by a view (sums.ts): what stands for it.
  withhold(at: SummedAt): string
  damaged: Store['damaged']
}

export function soundTexts(
  { query, read, quickly }: Database,
  { traces, memories, documents, work }: Parts,
  onDamage: OnDamage = () => {},
): SoundTexts {
  const known = new Map<string, SummedAt>()

  const isDamaged = async (at: SummedAt): Promise<boolean> => {
    const [row] = (await query(isDamagedSql(at.table), keyOf(at))) as { damaged: number }[]
    return row?.damaged === 1
  }
  const damagedAmong = async (
    table: 'documents' | 'memories',
    personaId: number,
    texts: { id: string; text: string }[],
  ) => {
    const damaged = new Set<string>()
    if (texts.length === 0) return damaged
    const rows = await query(
      `select id, sum from ${table}_sums where persona_id = ? and id in (select value from json_each(?))`,
      [personaId, JSON.stringify(texts.map(({ id }) => id))],
    )
    const sums = new Map((rows as { id: string; sum: number }[]).map(({ id, sum }) => [id, sum]))
    for (const { id, text } of texts) {
      const sum = sums.get(id)
      if (sum === undefined || sum === sumOf(text)) continue
      // It may have been replaced between the two queries.
      const at = { table, personaId, id, place: 0 }
      if (!(await isDamaged(at))) continue
      damaged.add(id)
      await found(at)
    }
    return damaged
  }
  const damagedMemories = (personaId: number, some: { memory: { id: string; text: string } }[]) =>
    damagedAmong(
      'memories',
      personaId,
      some.map(({ memory }) => memory),
    )

  async function found(at: SummedAt): Promise<void> {
    const name = JSON.stringify(at)
    if (known.has(name)) return
    known.set(name, at)
    const damaged = await named(at)
    if (damaged) onDamage({ ...damaged, isMended: await mend(damaged) })
  }

  async function named({ table, personaId, id }: SummedAt): Promise<Damaged | undefined> {
    const what = WHAT[table]
    if (table !== 'memories')
      return { personaId, what, id, documentId: table === 'drafts' || table === 'messages' ? null : id }
    const row = await read
      .selectFrom('memories')
      .select('document_id')
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && { personaId, what, id, documentId: row.document_id }
  }

  // Passages that read the same stay what they were: for that the document has to count as changed.
  async function mend({ personaId, what, documentId }: Damaged): Promise<boolean> {
    if (documentId === null || (what !== 'text' && what !== 'passage')) return false
    const isSound = !(await isDamaged({ table: 'documents', personaId, id: documentId, place: 0 }))
    return quickly(async (tx) => {
      let update = tx
        .updateTable('documents')
        .set({ ...waiting(new Date()), updated_at: Date.now() })
        .where('persona_id', '=', personaId)
        .where('id', '=', documentId)
        .where('state', '=', 'ready')
        .where('kind', '<>', 'collection')
      if (what === 'text' || !isSound) update = update.where('file_bytes', '>', 0).where('is_edited', '=', 0)
      return (await update.executeTakeFirst()).numUpdatedRows > 0n
    })
  }

  const guarded: Parts = {
    traces: {
      ...traces,
      async lookUp(personaId, numbers) {
        const some = await traces.lookUp(personaId, numbers)
        const damaged = await damagedMemories(personaId, some)
        return damaged.size === 0 ? some : some.filter(({ memory }) => !damaged.has(memory.id))
      },
    },
    memories: {
      ...memories,
      ...inLists(memories, damagedMemories),
      async get(personaId, ids) {
        const some = await memories.get(personaId, ids)
        const damaged = await damagedMemories(personaId, some)
        return some.filter(({ memory }) => !damaged.has(memory.id))
      },
      async ofDocument(personaId, documentId, embedder) {
        const some = await memories.ofDocument(personaId, documentId, embedder)
        const damaged = await damagedAmong('memories', personaId, some)
        return some.filter(({ id }) => !damaged.has(id))
      },
    },
    documents: {
      ...documents,
      async get(personaId, id) {
        const document = await documents.get(personaId, id)
        const damaged = document && (await damagedAmong('documents', personaId, [document]))
        return damaged?.has(id) ? { ...document!, text: WITHHELD } : document
      },
      async *wholeInTurn(personaId, page) {
        for await (const some of documents.wholeInTurn(personaId, page)) {
          const damaged = await damagedAmong('documents', personaId, some)
          yield some.map((one) => (damaged.has(one.id) ? { ...one, text: WITHHELD } : one))
        }
      },
    },
    work: {
      ...work,
      // What is read from a file again is mended by that; a text that has no other source is not learned as it is.
      async claim(at, batch) {
        const claims: Claim[] = []
        for (const claim of await work.claim(at, batch)) {
          const { personaId, id, fileBytes, isEdited, text } = claim.document
          const isFromFile = fileBytes > 0 && !isEdited
          if (isFromFile || (await damagedAmong('documents', personaId, [{ id, text }])).size === 0) claims.push(claim)
          else await work.fail(claim, DAMAGED, null)
        }
        return claims
      },
    },
  }
  return {
    parts: guarded,
    found,
    withhold(at) {
      // Not while the statement that found it goes on.
      setImmediate(() => found(at).catch(() => {})) // it is looked for again
      if (at.table === 'file_pieces') throw new AppError('unreadable', FILE_WITHHELD)
      return WITHHELD
    },
    async damaged() {
      const now: Damaged[] = []
      for (const [name, at] of known) {
        const damaged = (await isDamaged(at)) ? await named(at) : undefined
        if (damaged) now.push(damaged)
        else known.delete(name)
      }
      return now
    },
  }
}

// A list shows that something is there: a shorter page would look like its end.
const inLists = (
  { list, timeline }: Memories,
  damagedMemories: (personaId: number, some: { memory: { id: string; text: string } }[]) => Promise<Set<string>>,
): Pick<Memories, 'list' | 'timeline'> => {
  const withheld = async <T extends { memory: { id: string; text: string } }>(personaId: number, some: T[]) => {
    const damaged = await damagedMemories(personaId, some)
    return some.map((one) => (damaged.has(one.memory.id) ? { ...one, memory: { ...one.memory, text: WITHHELD } } : one))
  }
  return {
    list: async (personaId, page) => withheld(personaId, await list(personaId, page)),
    timeline: async (personaId, page) => withheld(personaId, await timeline(personaId, page)),
  }
}
