// Every row of every table, in the order of its key: what moving, backups and exports read.
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables/schema.ts'

export type Table = keyof Tables
export type Row = Record<string, unknown>

// Their keys, and how many rows at a time: some rows are large.
const tables = {
  personas: { key: ['id'], rows: 500 },
  keys: { key: ['id'], rows: 500 },
  documents: { key: ['persona_id', 'id'], rows: 50 },
  file_pieces: { key: ['persona_id', 'document_id', 'position'], rows: 16 },
  revisions: { key: ['persona_id', 'document_id', 'revision'], rows: 50 },
  requests: { key: ['persona_id', 'name'], rows: 500 },
  memories: { key: ['persona_id', 'id'], rows: 500 },
  traces: { key: ['persona_id', 'number'], rows: 500 },
  vectors: { key: ['persona_id', 'number', 'embedder'], rows: 500 },
  versions: { key: ['persona_id'], rows: 500 },
  changes: { key: ['persona_id', 'sequence'], rows: 500 },
  sessions: { key: ['persona_id', 'id'], rows: 500 },
  messages: { key: ['persona_id', 'session_id', 'position'], rows: 200 },
  drafts: { key: ['persona_id', 'id'], rows: 200 },
  replies: { key: ['persona_id', 'id'], rows: 200 },
  triggers: { key: ['persona_id', 'id'], rows: 500 },
  deliveries: { key: ['persona_id', 'id'], rows: 50 },
  delivery_attempts: { key: ['persona_id', 'delivery_id', 'number'], rows: 200 },
  sources: { key: ['persona_id', 'id'], rows: 500 },
  source_pages: { key: ['persona_id', 'source_id', 'url'], rows: 500 },
  audit: { key: ['number'], rows: 500 },
  accounts: { key: ['id'], rows: 500 },
  invitations: { key: ['id'], rows: 500 },
  sign_ins: { key: ['id'], rows: 500 },
  passkeys: { key: ['id'], rows: 500 },
  challenges: { key: ['hash'], rows: 500 },
  notice_ways: { key: ['id'], rows: 500 },
  secrets: { key: ['name'], rows: 500 },
  identities: { key: ['issuer', 'subject'], rows: 500 },
} satisfies Record<Table, { key: string[]; rows: number }>

export const tableNames = Object.keys(tables) as Table[]

export const keyColumns = (table: Table): string[] => tables[table].key

export async function* pages(db: Kysely<Tables>, table: Table, after?: unknown[]): AsyncGenerator<Row[]> {
  const { key, rows: limit } = tables[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last = after; ; ) {
    const beyond = last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(last)})`
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} ${beyond} order by ${columns} limit ${sql.lit(limit)}`.execute(
        db,
      )
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = keyOf(table, rows.at(-1)!)
  }
}

// The same rows give the same hash on every engine, whatever order their columns have there.
export async function digest(db: Kysely<Tables>, table: Table, onDone: (rows: number) => void = () => {}) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const page of pages(db, table)) {
    for (const row of page) {
      for (const column of Object.keys(row).sort()) {
        const value = row[column]
        if (value instanceof Uint8Array) hash.update(`${column} ${value.length} `).update(value)
        else hash.update(`${column} ${JSON.stringify(value)}\n`)
      }
    }
    rows += page.length
    onDone(rows)
  }
  return { rows, hash: hash.digest('hex') }
}

export const keyOf = (table: Table, row: Row): unknown[] => tables[table].key.map((column) => row[column])

export async function countOf(db: Kysely<Tables>, table: Table): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db)
  return rows[0]!.rows
}

// Nobody has used it yet, or everything was deleted again.
export async function isEmpty(db: Kysely<Tables>): Promise<boolean> {
  return (await countOf(db, 'personas')) === 0 && (await countOf(db, 'keys')) === 0
}
