// One persona, or what one of its callers said, as a zip of JSON Lines: the rows of a backup, for anybody to read.
import { type Kysely, sql } from 'kysely'
import packaged from '../../../package.json' with { type: 'json' }
import type { CallerOf } from '../../ports/transfers.ts'
import { type Entry, zip } from '../../zip.ts'
import type { Row } from '../rows.ts'
import type { Tables } from '../tables/schema.ts'
import { type Format, formatNames, toLine } from './format.ts'
import { limits } from './limits.ts'

// With `caller`: only the sessions of that id, or in which somebody of that name spoke.
export type ExportJob = { personaId: number; withVectors: boolean; caller?: CallerOf | undefined }

export const EXPORT_FORMAT = 1

export const writeExport = (db: Kysely<Tables>, job: ExportJob): AsyncGenerator<Uint8Array> => zip(entriesOf(db, job))

const OF_CALLER: Format[] = ['sessions', 'messages', 'replies', 'drafts']

async function* entriesOf(db: Kysely<Tables>, job: ExportJob): AsyncGenerator<Entry> {
  const kind = job.caller ? 'caller' : 'persona'
  const head = { format: EXPORT_FORMAT, kind, made_by: packaged.version, made_at: new Date().toISOString() }
  yield { name: 'memoir.json', bytes: one(JSON.stringify(head)) }
  if (!job.caller) yield { name: 'persona.json', bytes: one(JSON.stringify(await settingsOf(db, job.personaId))) }
  for (const format of job.caller ? OF_CALLER : formatNames) {
    if (format === 'vectors' && !job.withVectors) continue
    yield { name: `${format}.jsonl`, bytes: linesOf(db, format, job) }
  }
  if (!job.caller) yield* originalsOf(db, job.personaId)
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${text}\n`)
}

// Without the key of its chat model: it opens an account, and files are passed on.
async function settingsOf(db: Kysely<Tables>, personaId: number) {
  const row = await db.selectFrom('personas').selectAll().where('id', '=', personaId).executeTakeFirstOrThrow()
  return {
    domain_name: row.domain_name,
    name: row.name,
    picture: row.picture,
    threshold: row.threshold,
    instructions: row.instructions,
    requires_source_name: row.requires_source_name === 1,
    model: row.model && { ...JSON.parse(row.model), key: null },
    owner: { name: row.owner_name, email: row.owner_email, picture: row.owner_picture },
    calibration: row.calibration && JSON.parse(row.calibration),
    created_at: row.created_at,
  }
}

async function* linesOf(db: Kysely<Tables>, format: Format, job: ExportJob): AsyncGenerator<Uint8Array> {
  for (let last: unknown[] | undefined; ; ) {
    const rows = await pageOf(db, format, job, last)
    if (rows.length > 0) yield Buffer.from(rows.map((row) => toLine(format, row)).join(''))
    if (rows.length < limits.exportRows) return
    last = keys[format].map((column) => rows.at(-1)![column.replace(/^.+\./, '')])
  }
}

// What tells the rows of one persona apart.
const keys: Record<Format, string[]> = {
  documents: ['id'],
  revisions: ['document_id', 'revision'],
  memories: ['id'],
  traces: ['number'],
  vectors: ['number', 'embedder'],
  sessions: ['id'],
  messages: ['session_id', 'position'],
  replies: ['id'],
  drafts: ['id'],
  sources: ['id'],
  source_pages: ['source_id', 'url'],
  triggers: ['id'],
}

async function pageOf(db: Kysely<Tables>, format: Format, job: ExportJob, last?: unknown[]): Promise<Row[]> {
  const columns = sql.join(keys[format].map((column) => sql.ref(`t.${column}`)))
  const beyond = last === undefined ? sql`` : sql`and (${columns}) > (${sql.join(last)})`
  const isNumbered = format === 'traces' || format === 'vectors'
  const ids = isNumbered ? sql`join memories m on m.persona_id = t.persona_id and m.number = t.number` : sql``
  const { rows } = await sql<Row>`
    select t.*${isNumbered ? sql`, m.id as memory_id` : sql``} from ${sql.table(format)} t ${ids}
    where t.persona_id = ${job.personaId} ${ofCaller(format, job)} ${beyond}
    order by ${columns} limit ${sql.lit(limits.exportRows)}`.execute(db)
  return rows
}

function ofCaller(format: Format, { personaId, caller }: ExportJob) {
  if (!caller) return sql``
  const session = sql.ref(format === 'sessions' ? 't.id' : 't.session_id')
  return 'sessionId' in caller
    ? sql`and ${session} = ${caller.sessionId}`
    : sql`and ${session} in (
        select session_id from messages where persona_id = ${personaId} and user_name = ${caller.userName})`
}

async function* originalsOf(db: Kysely<Tables>, personaId: number): AsyncGenerator<Entry> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('documents')
      .select('id')
      .where('persona_id', '=', personaId)
      .where('file_bytes', '>', 0)
      .where('id', '>', last)
      .orderBy('id')
      .limit(limits.exportRows)
      .execute()
    for (const { id } of rows) yield { name: `originals/${id}`, bytes: piecesOf(db, personaId, id) }
    if (rows.length < limits.exportRows) return
    last = rows.at(-1)!.id
  }
}

async function* piecesOf(db: Kysely<Tables>, personaId: number, documentId: string): AsyncGenerator<Uint8Array> {
  for (let last = -1; ; ) {
    const row = await db
      .selectFrom('file_pieces')
      .select(['position', 'bytes'])
      .where('persona_id', '=', personaId)
      .where('document_id', '=', documentId)
      .where('position', '>', last)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    if (!row) return
    yield row.bytes
    last = row.position
  }
}
