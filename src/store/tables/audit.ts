// The audit record: entries are appended one behind the other, and the engines refuse to change or delete one.
import { sql } from 'kysely'
import { type AuditEntry, type Deed, FIRST_HASH, linkHash } from '../../domain/audit.ts'
import type { Audit } from '../../ports/audit.ts'
import type { Database, Writing } from './database.ts'
import type { AuditRow } from './schema.ts'

const ATTEMPTS = 50

export function audit({ read, quickly }: Database): Audit {
  return {
    async append(deed) {
      // Of two processes with the same number one is too late, and takes the next.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await quickly((tx) => insertNext(tx, deed))) return
      throw new Error('the audit record is too busy')
    },

    async list({ limit, before, on }) {
      let query = read.selectFrom('audit').selectAll()
      if (before !== undefined) query = query.where('number', '<', before)
      if (on?.length === 0) return []
      if (on)
        query = query.where((is) =>
          is.or(
            on.flatMap((name) => [
              is(sql<string>`lower(on_what)`, '=', name.toLowerCase()),
              is(sql<string>`lower(on_what)`, 'like', `${name.toLowerCase()}/%`),
            ]),
          ),
        )
      return (await query.orderBy('number', 'desc').limit(limit).execute()).map(fromRow)
    },

    async after(number, limit) {
      const rows = await read
        .selectFrom('audit')
        .selectAll()
        .where('number', '>', number)
        .orderBy('number')
        .limit(limit)
        .execute()
      return rows.map(fromRow)
    },
  }
}

async function insertNext(tx: Writing, deed: Deed): Promise<boolean> {
  const last = await tx
    .selectFrom('audit')
    .select(['number', 'hash'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const entry = { ...deed, number: (last?.number ?? 0) + 1, at: new Date() }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('audit')
    .values(toRow({ ...entry, hash: linkHash(last?.hash ?? FIRST_HASH, entry) }))
    .onConflict((on) => on.column('number').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}

const toRow = ({ at, on, from, ...entry }: AuditEntry): AuditRow => ({
  ...entry,
  at: at.getTime(),
  on_what: on,
  from_where: from,
})

const fromRow = ({ at, on_what, from_where, ...row }: AuditRow): AuditEntry => ({
  ...row,
  at: new Date(at),
  on: on_what,
  from: from_where,
})
