// The work of learning, as states and leases on the documents themselves.
import { type RawBuilder, sql } from 'kysely'
import { documentFailed, eventsOfLearned } from '../../domain/events.ts'
import { newId } from '../../domain/id.ts'
import type { Batch, Claim, Lane, Work } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { documentFromRow, listedColumns, listedFromRow, titleKey } from './document-rows.ts'
import { wantedEvents, writeEvents } from './events.ts'
import { replaceMemories } from './memories.ts'
import { count } from './receipt.ts'

// `leaseHolder` opens the name of each lease, so that the leases of a dead process can be told.
export function work(
  { read, quickly, visibly, durably, free, announceEvents }: Database,
  leaseHolder: string,
): Omit<Work, 'announce' | 'onAnnounced'> {
  return {
    claim: (at, batch) =>
      quickly(async (tx) => {
        const claims: Claim[] = []
        let left = batch.characters
        // Round after round, a few documents of each persona that has some due.
        for (let before = -1; claims.length > before && claims.length < batch.documents && left > 0; ) {
          before = claims.length
          const personas = await personasInTurn(tx, at, batch)
          const turn = personas.length === 1 ? batch.documents : limits.turn
          for (const persona of personas) {
            const most = Math.min(turn, batch.documents - claims.length)
            for (const row of await free(dueOf(tx, at, batch.lane, persona, most)).execute()) {
              if (claims.length > 0 && row.size > left) return claims
              left -= row.size
              claims.push(await lease(tx, persona, row.id, at.getTime() + batch.leaseMs))
            }
          }
        }
        return claims
      }),

    async changedSince(ms, limit) {
      const rows = await read
        .selectFrom('documents')
        .select([...listedColumns, 'changed_at'])
        .where('changed_at', '>=', ms)
        .orderBy('changed_at')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ document: listedFromRow(row), changedAt: row.changed_at }))
    },

    async begin(claim) {
      claim.document.attempts++
      await quickly((tx) =>
        held(tx, claim.document.personaId, claim.document.id, claim.lease, { attempts: claim.document.attempts }),
      )
    },

    progress({ document, lease }, percent, leaseUntil) {
      const until = leaseUntil.getTime()
      const changes = { progress: percent, lease_until: until, due_at: until, changed_at: Date.now() }
      return quickly(async (tx) => (await held(tx, document.personaId, document.id, lease, changes)) !== undefined)
    },

    async release({ document, lease }, to) {
      const attempts = Math.max(0, document.attempts - 1)
      const changes = { state: 'waiting', progress: 0, attempts, due_at: Date.now(), lease: null, lease_until: null }
      const moved = to && { lane: laneNumber(to.lane) }
      await quickly((tx) =>
        held(tx, document.personaId, document.id, lease, { ...changes, ...moved, changed_at: Date.now() }),
      )
    },

    async finish({ document, lease }, learned) {
      // Were it lost, the document would only be learned again.
      const { mine, told } = await visibly(async (tx) => {
        const wanted = await held(tx, document.personaId, document.id, lease, {
          text: learned.text,
          characters: learned.text.length,
          title: learned.title,
          title_key: titleKey(learned.title),
          start_time: learned.startTime.getTime(),
          state: 'ready',
          progress: 100,
          error: learned.missing ?? null,
          lease: null,
          lease_until: null,
          changed_at: Date.now(),
        })
        if (wanted === undefined) return { mine: false, told: false }
        await replaceMemories(tx, document.personaId, document.id, learned)
        if (learned.unpacked !== undefined) await dropFile(tx, document.personaId, document.id, learned.unpacked)
        const events = eventsOfLearned(document, learned.title, learned.memories)
        return { mine: true, told: await writeEvents(tx, document.personaId, wanted, events) }
      })
      if (told) announceEvents()
      return mine
    },

    async fail({ document, lease }, error, retryAt) {
      const changes = retryAt
        ? {
            state: 'waiting' as const,
            error,
            due_at: retryAt.getTime(),
            lease: null,
            lease_until: null,
            changed_at: Date.now(),
          }
        : { state: 'failed' as const, error, lease: null, lease_until: null, changed_at: Date.now() }
      const told = await durably(async (tx) => {
        const wanted = await held(tx, document.personaId, document.id, lease, changes)
        if (wanted === undefined || retryAt) return false
        return writeEvents(tx, document.personaId, wanted, [documentFailed(document, error)])
      })
      if (told) announceEvents()
    },

    async counts(personas = '*') {
      if (personas.length === 0) return { pending: 0, running: 0, failed: 0 }
      const inState = (...states: ('waiting' | 'reading' | 'failed')[]) => {
        const all = read.selectFrom('documents').where('state', 'in', states)
        return count(personas === '*' ? all : all.where('persona_id', 'in', personas))
      }
      return {
        pending: await inState('waiting', 'reading'),
        running: await inState('reading'),
        failed: await inState('failed'),
      }
    },

    async pullIn(at) {
      const late = at.getTime() + limits.dueAheadMs
      const some = await read
        .selectFrom('documents')
        .select('id')
        .where(isOpen)
        .where('due_at', '>', late)
        .executeTakeFirst()
      if (!some) return
      await quickly((tx) =>
        tx.updateTable('documents').set({ due_at: at.getTime() }).where(isOpen).where('due_at', '>', late).execute(),
      )
    },

    async oldestDue() {
      const { since } = await read
        .selectFrom('documents')
        .select(({ fn }) => fn.min('due_at').as('since'))
        .where('state', '=', 'waiting')
        .where(isOpen)
        .where('due_at', '<=', Date.now())
        .executeTakeFirstOrThrow()
      return since === null ? undefined : new Date(Number(since))
    },

    async shortPending(personaId, most) {
      const open = await read
        .selectFrom('documents')
        .select('id')
        .where('lane', '=', sql.lit(laneNumber('short')))
        .where('persona_id', '=', personaId)
        .where(isOpen)
        // What failed and waits for another attempt is not awaited.
        .where(({ or, eb }) => or([eb('state', '=', 'reading'), eb('due_at', '<=', Date.now())]))
        .limit(most)
        .execute()
      return open.length
    },
  }

  async function lease(tx: Writing, personaId: number, id: string, until: number): Promise<Claim> {
    const name = `${leaseHolder}/${newId()}`
    const row = await tx
      .updateTable('documents')
      .set({
        state: 'reading',
        lease: name,
        lease_until: until,
        // A lease that runs out makes the document due again: one index finds both.
        due_at: until,
        changed_at: Date.now(),
      })
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { document: documentFromRow(row), lease: name }
  }

  // Tells what the triggers of the persona want; undefined when the lease was lost.
  async function held(tx: Writing, personaId: number, id: string, name: string, changes: object) {
    const changed = await tx
      .updateTable('documents')
      .set(changes)
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .where('lease', '=', name)
      .returning(wantedEvents(personaId).as('wanted'))
      .executeTakeFirst()
    return changed?.wanted
  }
}

// A collection's file has become documents: what is left of it is an account of them.
async function dropFile(tx: Writing, personaId: number, id: string, unpacked: string): Promise<void> {
  await tx.deleteFrom('file_pieces').where('persona_id', '=', personaId).where('document_id', '=', id).execute()
  await tx
    .updateTable('documents')
    .set({ raw_text: unpacked, file_bytes: 0 })
    .where('persona_id', '=', personaId)
    .where('id', '=', id)
    .execute()
}

// In the words of the index that finds them: as a parameter the engine would not know it for that.
const isOpen = sql<boolean>`state in ('waiting', 'reading')`

// Those with something due in this lane, from the one after the last served, and around.
async function personasInTurn(tx: Writing, at: Date, batch: Batch): Promise<number[]> {
  const later = await personasDue(tx, at, batch, batch.afterPersona)
  const around = later.length < batch.documents ? await personasDue(tx, at, batch, -1) : []
  return [...new Set([...later, ...around])].slice(0, batch.documents)
}

// From one persona to the next along the index: however much one has due, it is passed over at once.
async function personasDue(
  tx: Writing,
  at: Date,
  { lane, documents, passOver = [] }: Batch,
  after: number,
): Promise<number[]> {
  const others = passOver.length > 0 ? sql`and persona_id not in (${sql.join(passOver)})` : sql``
  const next = (beyond: RawBuilder<unknown>) => sql`
    select persona_id from documents
    where lane = ${sql.lit(laneNumber(lane))} and ${isOpen} and due_at <= ${at.getTime()}
      and persona_id > ${beyond} ${others}
    order by persona_id limit 1`
  const { rows } = await sql<{ persona_id: number }>`
    with recursive due (persona_id) as (
      select * from (${next(sql`${after}`)}) as first
      union all
      select (${next(sql`due.persona_id`)}) from due where due.persona_id is not null
    )
    select persona_id from due where persona_id is not null limit ${sql.lit(documents)}`.execute(tx)
  return rows.map((row) => row.persona_id)
}

const dueOf = (tx: Writing, at: Date, lane: Lane, personaId: number, limit: number) =>
  tx
    .selectFrom('documents')
    .select(({ fn, eb }) => ['id', eb(fn<number>('length', ['text']), '+', eb.ref('file_bytes')).as('size')])
    .where('lane', '=', sql.lit(laneNumber(lane)))
    .where('persona_id', '=', personaId)
    .where(isOpen)
    .where('due_at', '<=', at.getTime())
    .orderBy('due_at')
    .limit(limit)

const laneNumber = (lane: Lane): number => ({ short: 0, long: 1, elsewhere: 2 })[lane]
