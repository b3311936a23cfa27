// Sources that a persona follows: one is looked at a time, under a lease.

import { AppError } from '../../domain/errors.ts'
import { everyOf, OFF_BY_OWNER } from '../../domain/followed-source.ts'
import { newId } from '../../domain/id.ts'
import { limits } from '../../domain/limits.ts'
import type { SourceClaim, Sources } from '../../ports/sources.ts'
import type { Database, Writing } from './database.ts'
import { endLook } from './look-end.ts'
import { keepIncoming } from './origins.ts'
import { count } from './receipt.ts'
import { pageFromRow, pageToRow, type SourceRow, sourceFromRow, sourceToRow } from './source-rows.ts'
import { lockPersona } from './triggers.ts'

// `leaseHolder` opens the name of each lease, so that the leases of a dead process can be told.
export function sources({ read, durably, quickly, free }: Database, leaseHolder: string): Sources {
  const ofPersona = (personaId: number) => read.selectFrom('sources').selectAll().where('persona_id', '=', personaId)
  const change = (personaId: number, id: string, changes: (row: SourceRow) => Partial<SourceRow>) =>
    durably(async (tx) => {
      const row = await one(tx, personaId, id)
      if (!row) return undefined
      const set = changes(row)
      await tx.updateTable('sources').set(set).where('persona_id', '=', personaId).where('id', '=', id).execute()
      return sourceFromRow({ ...row, ...set })
    })
  return {
    create: (source) =>
      durably(async (tx) => {
        if (!(await lockPersona(tx, source.personaId))) throw new AppError('not_found', 'This persona was deleted.')
        const own = tx.selectFrom('sources').select('url').where('persona_id', '=', source.personaId)
        const followed = await own.execute()
        if (followed.some(({ url }) => url === source.url))
          throw new AppError('conflict', 'This persona follows that address already.')
        if (followed.length >= limits.sources)
          throw new AppError('conflict', `A persona follows ${limits.sources} sources at most: delete one first.`)
        await tx.insertInto('sources').values(sourceToRow(source)).execute()
      }),

    async list(personaId) {
      return (await ofPersona(personaId).orderBy('id', 'desc').execute()).map(sourceFromRow)
    },

    async get(personaId, id) {
      const row = await ofPersona(personaId).where('id', '=', id).executeTakeFirst()
      return row && sourceFromRow(row)
    },

    update: (personaId, id, { kind, everyMs, isOn }, at) =>
      change(personaId, id, (row) => ({
        ...(kind !== undefined && kind !== row.kind && { kind, etag: null, last_modified: null, ...due(at) }),
        ...(everyMs !== undefined && { every_ms: everyMs, ...again(row, everyMs) }),
        ...(isOn === true && row.is_on === 0 && { is_on: 1, off_reason: null, ...due(at) }),
        // Whoever looks at it now loses it.
        ...(isOn === false &&
          row.is_on === 1 && { is_on: 0, off_reason: OFF_BY_OWNER, lease: null, lease_until: null }),
        updated_at: at.getTime(),
      })),

    hasten: (personaId, id, at) => change(personaId, id, () => ({ due_at: at.getTime() })),

    remove: (personaId, id) =>
      durably(async (tx) => {
        const gone = await tx
          .deleteFrom('sources')
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .executeTakeFirst()
        await tx.deleteFrom('source_pages').where('persona_id', '=', personaId).where('source_id', '=', id).execute()
        return gone.numDeletedRows > 0n
      }),

    claim: (at, leaseMs) => quickly((tx) => claim(tx, at, leaseMs)),

    async isAnyDue(at) {
      const found = await read
        .selectFrom('sources')
        .select('id')
        .where('is_on', '=', 1)
        .where('due_at', '<=', at.getTime())
        .where('lease', 'is', null)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },

    renew: (claim, until) => quickly((tx) => held(tx, claim, { lease_until: until.getTime() })),

    recognise: (claim, { kind, title, pagesOf }) =>
      quickly((tx) => held(tx, claim, { kind, title, pages_of: pagesOf })),

    async pages({ source: { personaId, id } }) {
      const rows = await read
        .selectFrom('source_pages')
        .selectAll()
        .where('persona_id', '=', personaId)
        .where('source_id', '=', id)
        .execute()
      return rows.map(pageFromRow)
    },

    keep: (claim, page, incoming) =>
      (incoming ? durably : quickly)(async (tx) => {
        const answered = page.outcome === 'left out' ? {} : { failures: 0, error: null }
        const row = await mine(tx, claim)
        if (!row || !(await held(tx, claim, { pages_done: row.pages_done + 1, ...answered }))) return false
        if (incoming) await keepIncoming(tx, claim.source.personaId, incoming)
        const values = pageToRow(claim.source, page)
        await tx
          .insertInto('source_pages')
          .values(values)
          .onConflict((on) => on.columns(['persona_id', 'source_id', 'url']).doUpdateSet(values))
          .execute()
        return true
      }),

    finish: (claim, end, at) =>
      durably(async (tx) => {
        const row = await mine(tx, claim)
        if (!row) return false
        return held(tx, claim, {
          account: JSON.stringify(await endLook(tx, row, end)),
          etag: end.etag,
          last_modified: end.lastModified,
          due_at: at.getTime() + everyOf(sourceFromRow(row)),
          looked_at: at.getTime(),
          ...NO_LOOK,
          failures: 0,
          error: null,
        })
      }),

    putOff: (claim, dueAt, failed) =>
      quickly(async (tx) => {
        const row = await mine(tx, claim)
        if (!row) return
        // The time of a look is that in which something could be done.
        const began = row.look_began! + Math.max(0, dueAt.getTime() - Date.now())
        const told = failed && { failures: row.failures + 1, error: failed.error, look_began: began }
        const off = failed?.offReason ? { is_on: 0, off_reason: failed.offReason, updated_at: Date.now() } : {}
        await held(tx, claim, { due_at: dueAt.getTime(), lease: null, lease_until: null, ...told, ...off })
      }),
  }

  async function claim(tx: Writing, at: Date, leaseMs: number): Promise<SourceClaim | undefined> {
    // Whoever claims holds the first source meanwhile: two processes never begin with two sources at once.
    const first = tx.selectFrom('sources').select('id').orderBy('id').limit(1)
    const turn = await free(tx.selectFrom('sources').select('id').where('id', '=', first)).executeTakeFirst()
    if (!turn) return undefined
    const live = tx.selectFrom('sources').where('lease', 'is not', null).where('lease_until', '>', at.getTime())
    if ((await count(live)) > 0) return undefined
    const due = tx.selectFrom('sources').select(['persona_id', 'id']).where('is_on', '=', 1)
    const found = await free(due.where('due_at', '<=', at.getTime()).orderBy('due_at').limit(1)).executeTakeFirst()
    const row = found && (await one(tx, found.persona_id, found.id))
    if (!row) return undefined
    const lease = `${leaseHolder}/${newId()}`
    const begins = row.look_began === null
    const changes = {
      lease,
      lease_until: at.getTime() + leaseMs,
      ...(begins && { look: row.look + 1, look_began: at.getTime(), pages_done: 0, pages_of: 0 }),
    }
    await tx
      .updateTable('sources')
      .set(changes)
      .where('persona_id', '=', row.persona_id)
      .where('id', '=', row.id)
      .execute()
    return { source: sourceFromRow({ ...row, ...changes }), lease }
  }
}

const NO_LOOK = { lease: null, lease_until: null, look_began: null } as const

const due = (at: Date): Partial<SourceRow> => ({ due_at: at.getTime(), failures: 0, error: null })

// Counted from the last look; one that waits after a failure is not hastened by it.
const again = (row: SourceRow, everyMs: number | null): Partial<SourceRow> =>
  row.looked_at !== null && row.look_began === null
    ? { due_at: row.looked_at + everyOf({ ...sourceFromRow(row), everyMs }) }
    : {}

const one = (tx: Writing, personaId: number, id: string) =>
  tx.selectFrom('sources').selectAll().where('persona_id', '=', personaId).where('id', '=', id).executeTakeFirst()

async function mine(tx: Writing, { source, lease }: SourceClaim): Promise<SourceRow | undefined> {
  const row = await one(tx, source.personaId, source.id)
  return row?.lease === lease ? row : undefined
}

async function held(tx: Writing, { source, lease }: SourceClaim, changes: Partial<SourceRow>): Promise<boolean> {
  const changed = await tx
    .updateTable('sources')
    .set(changes)
    .where('persona_id', '=', source.personaId)
    .where('id', '=', source.id)
    .where('lease', '=', lease)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
