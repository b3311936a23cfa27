// A persona goes out as a file and comes in from one; what a caller said goes out, or goes.
import { sql } from 'kysely'
import { documentKinds } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { OFF_BY_IMPORT } from '../../domain/followed-source.ts'
import { newSecret } from '../../domain/trigger.ts'
import type { CallerOf, Transfers } from '../../ports/transfers.ts'
import { type Format, formatNames, fromLine } from '../keep/format.ts'
import type { Row } from '../rows.ts'
import type { Database, Writing } from './database.ts'
import { emptyReceipt } from './receipt.ts'
import type { Tables } from './schema.ts'
import { noteChange } from './trace-rows.ts'

export function transfers({ durably }: Database): Omit<Transfers, 'export'> {
  return {
    files: formatNames,

    check(file, lines, first) {
      read(file as Format, lines, first)
    },

    add: (personaId, file, lines) =>
      durably(async (tx) => {
        const format = file as Format
        let added = 0
        for (const row of read(format, lines, 1)) if (await addRow(tx, personaId, format, row)) added++
        if (format === 'messages') await countMessages(tx, personaId, lines)
        return added
      }),

    addOriginal: (personaId, documentId, pieces) =>
      durably(async (tx) => {
        const known = await tx
          .selectFrom('documents')
          .select('id')
          .where('persona_id', '=', personaId)
          .where('id', '=', documentId)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('file_pieces')
                  .select('position')
                  .where('persona_id', '=', personaId)
                  .where('document_id', '=', documentId),
              ),
            ),
          )
          .executeTakeFirst()
        if (!known) return
        let position = 0
        for await (const bytes of pieces())
          await tx
            .insertInto('file_pieces')
            .values({ persona_id: personaId, document_id: documentId, position: position++, bytes })
            .execute()
      }),

    removeCaller: (personaId, caller) => durably((tx) => removeCaller(tx, personaId, caller)),
  }
}

const read = (format: Format, lines: string[], first: number): Row[] =>
  lines.map((line, at) => {
    const row = fromLine(format, line, `Line ${first + at} of ${format}.jsonl`)
    if (format === 'documents' && !(documentKinds as readonly unknown[]).includes(row.kind))
      throw new AppError('unreadable', `Line ${first + at} of documents.jsonl: kind is none of ${documentKinds}.`)
    return row
  })

// False for what is there already: it stays as it is.
async function addRow(tx: Writing, personaId: number, format: Format, row: Row): Promise<boolean> {
  if (format === 'traces' || format === 'vectors') return addToMemory(tx, personaId, format, row)
  return insert(tx, format, { persona_id: personaId, ...row, ...more[format]?.(row) })
}

// What an export leaves out.
const more: Partial<Record<Format, (row: Row) => Row>> = {
  documents: ({ state }) => ({
    state: state === 'ready' || state === 'failed' ? state : 'waiting',
    progress: state === 'ready' ? 100 : 0,
    attempts: 0,
    due_at: Date.now(),
    lease: null,
    lease_until: null,
    changed_at: Date.now(),
  }),
  // Off until the owner has seen where it calls; the secret is the owner's to renew.
  triggers: () => ({
    secret: newSecret(),
    old_secret: null,
    old_secret_until: null,
    is_on: 0,
    off_reason: 'It was imported: renew its secret, then turn it on.',
    failing_since: null,
  }),
  sources: ({ kind }) => ({
    kind: kind === 'feed' || kind === 'site' ? kind : null,
    is_on: 0,
    off_reason: OFF_BY_IMPORT,
    failures: 0,
    due_at: Date.now(),
    pages_done: 0,
    pages_of: 0,
  }),
}

async function insert(tx: Writing, table: keyof Tables, row: Row): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto(table)
    .values(row as never)
    .onConflict((on) => on.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

// Under the number that the memory has here.
async function addToMemory(tx: Writing, personaId: number, format: 'traces' | 'vectors', row: Row): Promise<boolean> {
  const { memory_id, ...rest } = row
  const memory = await tx
    .selectFrom('memories')
    .select(['number', 'document_id', 'time'])
    .where('persona_id', '=', personaId)
    .where('id', '=', memory_id as string)
    .executeTakeFirst()
  if (!memory) return false
  const { number, document_id, time } = memory
  const own = format === 'traces' ? { document_id, time } : {}
  if (!(await insert(tx, format, { persona_id: personaId, number, ...own, ...rest }))) return false
  await noteChange(tx, personaId, document_id)
  return true
}

// A session that went on here keeps its own entries, and its count is that of what it has now.
async function countMessages(tx: Writing, personaId: number, lines: string[]): Promise<void> {
  const sessions = [...new Set(read('messages', lines, 1).map((row) => row.session_id as string))]
  await tx
    .updateTable('sessions')
    .set({
      messages: sql<number>`(select max(position) from messages m
        where m.persona_id = sessions.persona_id and m.session_id = sessions.id)`,
    })
    .where('persona_id', '=', personaId)
    .where('id', 'in', sessions)
    .execute()
}

async function removeCaller(tx: Writing, personaId: number, caller: CallerOf) {
  const found =
    'sessionId' in caller
      ? [{ id: caller.sessionId }]
      : await tx
          .selectFrom('messages')
          .select('session_id as id')
          .distinct()
          .where('persona_id', '=', personaId)
          .where('user_name', '=', caller.userName)
          .execute()
  const receipt = { ...emptyReceipt, replies: 0 }
  for (const { id } of found) {
    const gone = async (table: 'messages' | 'replies' | 'drafts') => {
      const { numDeletedRows } = await tx
        .deleteFrom(table)
        .where('persona_id', '=', personaId)
        .where('session_id', '=', id)
        .executeTakeFirstOrThrow()
      receipt[table] += Number(numDeletedRows)
    }
    await gone('messages')
    await gone('replies')
    await gone('drafts')
    const { numDeletedRows } = await tx
      .deleteFrom('sessions')
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    receipt.sessions += Number(numDeletedRows)
  }
  const { sessions, messages, replies, drafts } = receipt
  return { sessions, messages, replies, drafts }
}
