// Where people want to be told, and the notices on their way there: rows of the outbox that name a way.
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import type { NoticeType, Way, WayChanges } from '../../domain/notice.ts'
import { mayRole } from '../../domain/roles.ts'
import type { NoticeClaim, NoticeOutcome, Notices } from '../../ports/notices.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { count } from './receipt.ts'
import type { DeliveryRow, Tables, WayRow } from './schema.ts'

type Ways = Omit<Notices, 'drafts' | 'failures' | 'switchedOff' | 'sourcesOff'>

// `leaseHolder` opens the name of each lease, so that the leases of a dead process can be told.
export function ways({ read, durably, quickly, free, announceEvents }: Database, leaseHolder: string): Ways {
  return {
    async ways(accountId) {
      const rows = await read.selectFrom('notice_ways').selectAll().where('account_id', '=', accountId).execute()
      return rows.map(wayFromRow)
    },

    add: (way, most) =>
      durably(async (tx) => {
        const many = await count(tx.selectFrom('notice_ways').where('account_id', '=', way.accountId))
        if (many >= most) throw new AppError('conflict', `You are told on ${many} devices already; remove one.`)
        await tx.insertInto('notice_ways').values(wayToRow(way)).execute()
      }),

    change: (accountId, id, changes) =>
      durably(async (tx) => {
        const row = await tx
          .updateTable('notice_ways')
          .set({ ...changesToRow(changes), tries: 0, retry_at: 0, trouble: null })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        return row && wayFromRow(row)
      }),

    remove: (accountId, id) =>
      durably(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('notice_ways')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (numDeletedRows > 0n) await forget(tx, id)
        return numDeletedRows > 0n
      }),

    async write(wayId, type) {
      await durably((tx) =>
        tx
          .insertInto('deliveries')
          .values(noticeRow(wayId, type, 0, ''))
          .execute(),
      )
      announceEvents()
    },

    async writeDigests(at, next) {
      const dueIn = (db: Kysely<Tables>) =>
        db.selectFrom('notice_ways').selectAll().where('on_digest', '=', 1).where('digest_at', '<=', at.getTime())
      if ((await dueIn(read).limit(1).execute()).length === 0) return
      await quickly(async (tx) => {
        for (const row of await free(dueIn(tx)).execute()) {
          const digest_at = next(wayFromRow(row)).getTime()
          await tx.updateTable('notice_ways').set({ digest_at }).where('id', '=', row.id).execute()
          await tx
            .insertInto('deliveries')
            .values(noticeRow(row.id, 'notice.digest', 0, ''))
            .execute()
        }
      })
    },

    // Durable: after a power cut, too, nothing is told again.
    async claim(at, options) {
      for (const id of await dueWays(at, options)) {
        const claimed = await durably((tx) => claim(tx, id, at, options.leaseMs))
        if (claimed) return claimed
      }
      return undefined
    },

    settle: (claimed, outcome) => quickly((tx) => settle(tx, claimed, outcome)),

    async keepOnce(name, made) {
      const kept = await read.selectFrom('secrets').select('text').where('name', '=', name).executeTakeFirst()
      return kept?.text ?? (await durably((tx) => keepOnce(tx, name, made)))
    },
  }

  // Those for which something has waited long enough, and those that are not there any more.
  async function dueWays(at: Date, { mailAfterMs, pushAfterMs }: Parameters<Ways['claim']>[1]): Promise<string[]> {
    const waiting = await read
      .selectFrom('deliveries')
      .leftJoin('notice_ways', 'notice_ways.id', 'way')
      .select(({ fn }) => ['way', 'kind', 'retry_at', fn.min('deliveries.created_at').as('since')])
      .where('way', 'is not', null)
      .where(isFree(at))
      .groupBy(['way', 'kind', 'retry_at'])
      .execute()
    const isDue = ({ kind, retry_at, since }: (typeof waiting)[number]): boolean => {
      if (kind === null) return true
      const afterMs = kind === 'mail' ? mailAfterMs : pushAfterMs
      return Number(retry_at) <= at.getTime() && Number(since) <= at.getTime() - afterMs
    }
    return waiting.filter(isDue).map(({ way }) => way!)
  }

  async function claim(tx: Writing, id: string, at: Date, leaseMs: number): Promise<NoticeClaim | undefined> {
    const row = await free(tx.selectFrom('notice_ways').selectAll().where('id', '=', id)).executeTakeFirst()
    if (row) return lease(tx, row, at, leaseMs)
    await forgetOrphans(tx, id)
    return undefined
  }

  // Everything that waits for it, of the kind that has waited longest.
  async function lease(tx: Writing, row: WayRow, at: Date, leaseMs: number): Promise<NoticeClaim | undefined> {
    const all = await tx
      .selectFrom('deliveries')
      .select(['persona_id', 'id', 'type', 'payload', 'attempts'])
      .where('way', '=', row.id)
      .where(isFree(at))
      .orderBy('created_at')
      .orderBy('id')
      .limit(limits.noticesTogether)
      .execute()
    const begun = all.filter(({ attempts }) => attempts > 0)
    if (begun.length > 0) await drop(tx, begun)
    const [first, ...others] = all.filter(({ attempts }) => attempts === 0)
    if (!first) return undefined
    const told = [first, ...others.filter(({ type }) => type === first.type)]
    const name = `${leaseHolder}/${newId()}`
    await tx
      .updateTable('deliveries')
      .set({ lease: name, due_at: at.getTime() + leaseMs, attempts: 1 })
      .where('way', '=', row.id)
      .where(
        'id',
        'in',
        told.map(({ id }) => id),
      )
      .execute()
    const drafts = told.flatMap(({ persona_id, payload }) => (payload ? [{ personaId: persona_id, id: payload }] : []))
    return { way: wayFromRow(row), type: first.type as NoticeType, drafts, tries: row.tries, lease: name }
  }

  // Locked by another process, it is found by none: only one that is not there has orphans.
  async function forgetOrphans(tx: Writing, id: string): Promise<void> {
    const isThere = await tx.selectFrom('notice_ways').select('id').where('id', '=', id).executeTakeFirst()
    if (!isThere) await forget(tx, id)
  }
}

// With the draft, in its transaction: a row for each way of whoever may settle it.
export async function writeNotices(tx: Writing, personaId: number, draftId: string): Promise<void> {
  const all = await tx
    .selectFrom('notice_ways')
    .innerJoin('accounts', 'accounts.id', 'notice_ways.account_id')
    .select(['notice_ways.id', 'role', 'personas'])
    .where('on_drafts', '=', 1)
    .execute()
  const told = all.filter(({ role, personas }) => {
    const held: number[] | '*' = role === 'administrator' ? '*' : JSON.parse(personas)
    return mayRole(role, 'judge') && (held === '*' || held.includes(personaId))
  })
  const rows = told.map(({ id }) => noticeRow(id, 'notice.drafts', personaId, draftId))
  if (rows.length > 0) await tx.insertInto('deliveries').values(rows).execute()
}

// Somebody who is removed is told nothing any more.
export async function leaveWays(tx: Writing, accountId: string): Promise<void> {
  const own = await tx.selectFrom('notice_ways').select('id').where('account_id', '=', accountId).execute()
  for (const { id } of own) await forget(tx, id)
  await tx.deleteFrom('notice_ways').where('account_id', '=', accountId).execute()
}

// Not being told at this moment, as far as anybody knows.
const isFree = (at: Date) => sql<boolean>`(lease is null or due_at <= ${at.getTime()})`

const forget = (tx: Writing, wayId: string) => tx.deleteFrom('deliveries').where('way', '=', wayId).execute()

const drop = (tx: Writing, rows: Pick<DeliveryRow, 'id'>[]) =>
  tx
    .deleteFrom('deliveries')
    .where('way', 'is not', null)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()

async function keepOnce(tx: Writing, name: string, text: string): Promise<string> {
  await tx
    .insertInto('secrets')
    .values({ name, text })
    .onConflict((on) => on.column('name').doNothing())
    .execute()
  return (await tx.selectFrom('secrets').select('text').where('name', '=', name).executeTakeFirstOrThrow()).text
}

async function settle(tx: Writing, { way, tries, lease }: NoticeClaim, outcome: NoticeOutcome): Promise<void> {
  if (outcome.is === 'gone') {
    await tx.deleteFrom('notice_ways').where('id', '=', way.id).execute()
    return void (await forget(tx, way.id))
  }
  const again = outcome.is === 'failed' ? outcome.retryAt : undefined
  const kept = again ? { tries: tries + 1, retry_at: again.getTime() } : { tries: 0, retry_at: 0 }
  const trouble = outcome.is === 'failed' ? outcome.trouble : null
  await tx
    .updateTable('notice_ways')
    .set({ ...kept, trouble })
    .where('id', '=', way.id)
    .execute()
  if (again) await tx.updateTable('deliveries').set({ lease: null, attempts: 0 }).where('lease', '=', lease).execute()
  else await tx.deleteFrom('deliveries').where('lease', '=', lease).execute()
}

const noticeRow = (way: string, type: NoticeType, personaId: number, draftId: string): DeliveryRow => ({
  persona_id: personaId,
  id: newId(),
  trigger_id: '',
  way,
  type,
  payload: draftId,
  state: 'waiting',
  attempts: 0,
  tries: 0,
  due_at: Date.now(),
  lease: null,
  last_status: null,
  last_error: null,
  created_at: type === 'notice.drafts' ? Date.now() : 0, // the others are not waited for
  settled_at: null,
})

const wayToRow = (way: Way): WayRow => ({
  id: way.id,
  account_id: way.accountId,
  kind: way.kind,
  language: way.language,
  target: JSON.stringify(way.target),
  on_drafts: Number(way.onDrafts),
  on_digest: Number(way.onDigest),
  time_zone: way.timeZone,
  digest_at: way.digestAt?.getTime() ?? null,
  tries: 0,
  retry_at: 0,
  trouble: way.trouble,
  created_at: way.createdAt.getTime(),
})

const changesToRow = ({ language, onDrafts, onDigest, timeZone, digestAt }: WayChanges): Partial<WayRow> => ({
  ...(language !== undefined && { language }),
  ...(onDrafts !== undefined && { on_drafts: Number(onDrafts) }),
  ...(onDigest !== undefined && { on_digest: Number(onDigest) }),
  ...(timeZone !== undefined && { time_zone: timeZone }),
  ...(digestAt !== undefined && { digest_at: digestAt?.getTime() ?? null }),
})

const wayFromRow = (row: WayRow): Way => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  language: row.language,
  target: JSON.parse(row.target),
  onDrafts: row.on_drafts === 1,
  onDigest: row.on_digest === 1,
  timeZone: row.time_zone,
  digestAt: row.digest_at === null ? null : new Date(row.digest_at),
  trouble: row.trouble,
  createdAt: new Date(row.created_at),
})
