// The outbox: deliveries with leases, so that any number of processes send them, and the log of every attempt.
import { sql } from 'kysely'
import { newId } from '../../domain/id.ts'
import { limits as shared } from '../../domain/limits.ts'
import { type Attempt, type Delivery, switchedOffBy } from '../../domain/trigger.ts'
import type { DeliveryClaim, Outbox, Settled } from '../../ports/triggers.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { newDelivery } from './events.ts'
import { count } from './receipt.ts'
import type { DeliveryAttemptRow, DeliveryRow } from './schema.ts'
import { lockPersona, switchOff, triggerFromRow } from './triggers.ts'

// `leaseHolder` opens the name of each lease, so that the leases of a dead process can be told.
export function outbox(
  { read, quickly, durably, free, announceEvents }: Database,
  leaseHolder: string,
): Omit<Outbox, 'onWritten'> {
  const ofPersona = (personaId: number) =>
    read.selectFrom('deliveries').select(listed).where('persona_id', '=', personaId)
  return {
    async add(personaId, triggerId, event) {
      const added = await durably(async (tx) => {
        const of = await tx
          .selectFrom('triggers')
          .innerJoin('personas', 'personas.id', 'triggers.persona_id')
          .select('domain_name')
          .where('persona_id', '=', personaId)
          .where('triggers.id', '=', triggerId)
          .executeTakeFirst()
        if (!of) return undefined
        const row = newDelivery(personaId, triggerId, of.domain_name, event)
        await tx.insertInto('deliveries').values(row).execute()
        return deliveryFromRow(row)
      })
      announceEvents()
      return added
    },

    async redeliver(personaId, which, at) {
      const { numUpdatedRows } = await durably((tx) => {
        const again = tx
          .updateTable('deliveries')
          .set({ state: 'waiting', tries: 0, due_at: at.getTime(), settled_at: null })
          .where('persona_id', '=', personaId)
          .where('lease', 'is', null)
        return 'id' in which
          ? again.where('id', '=', which.id).executeTakeFirstOrThrow()
          : again.where('trigger_id', '=', which.failedOf).where('state', '=', 'failed').executeTakeFirstOrThrow()
      })
      announceEvents()
      return Number(numUpdatedRows)
    },

    async list(personaId, triggerId, { limit, before }) {
      let query = ofPersona(personaId).where('trigger_id', '=', triggerId)
      if (before !== undefined) query = query.where('id', '<', before)
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(deliveryFromRow)
    },

    async get(personaId, id) {
      const row = await ofPersona(personaId).select('payload').where('id', '=', id).executeTakeFirst()
      if (!row) return undefined
      const attempts = await read
        .selectFrom('delivery_attempts')
        .selectAll()
        .where('persona_id', '=', personaId)
        .where('delivery_id', '=', id)
        .orderBy('number', 'desc')
        .execute()
      return { delivery: deliveryFromRow(row), payload: row.payload, attempts: attempts.map(attemptFromRow) }
    },

    claim: (at, { passOver, leaseMs }) =>
      quickly(async (tx) => {
        let due = tx.selectFrom('deliveries').select(['persona_id', 'id']).where(isWaiting).where('way', 'is', null)
        due = due.where('due_at', '<=', at.getTime())
        if (passOver.length > 0) due = due.where('trigger_id', 'not in', passOver)
        for (;;) {
          const found = await free(due.orderBy('due_at').limit(1)).executeTakeFirst()
          if (!found) return undefined
          const claim = await lease(tx, found, at.getTime() + leaseMs)
          if (claim) return claim
          // Its trigger was deleted in the moment it was written.
          await tx
            .deleteFrom('deliveries')
            .where('persona_id', '=', found.persona_id)
            .where('id', '=', found.id)
            .execute()
        }
      }),

    settle: (claim, attempt, settled) => quickly((tx) => settle(tx, claim, attempt, settled)),

    async release({ delivery, lease }) {
      await quickly((tx) => held(tx, delivery, lease, { lease: null, due_at: Date.now() }))
    },

    async counts() {
      return { waiting: await count(read.selectFrom('deliveries').where(isWaiting).where('way', 'is', null)) }
    },

    async tidy(at) {
      await pullIn(at)
      const all = await read.selectFrom('triggers').select(['persona_id', 'id']).execute()
      for (const { persona_id, id } of all)
        while ((await quickly((tx) => tidyTrigger(tx, persona_id, id, at))) >= limits.tidyRows);
    },
  }

  // As with documents (work.ts).
  async function pullIn(at: Date): Promise<void> {
    const late = at.getTime() + limits.deliveryAheadMs
    const some = await read
      .selectFrom('deliveries')
      .select('id')
      .where(isWaiting)
      .where('due_at', '>', late)
      .executeTakeFirst()
    if (!some) return
    await quickly((tx) =>
      tx.updateTable('deliveries').set({ due_at: at.getTime() }).where(isWaiting).where('due_at', '>', late).execute(),
    )
  }

  async function lease(
    tx: Writing,
    { persona_id, id }: { persona_id: number; id: string },
    until: number,
  ): Promise<DeliveryClaim | undefined> {
    const name = `${leaseHolder}/${newId()}`
    const row = await tx
      .updateTable('deliveries')
      .set({ lease: name, due_at: until })
      .where('persona_id', '=', persona_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const trigger = await tx
      .selectFrom('triggers')
      .selectAll()
      .where('persona_id', '=', persona_id)
      .where('id', '=', row.trigger_id)
      .executeTakeFirst()
    if (!trigger) return undefined
    const delivery = deliveryFromRow(row)
    return { delivery, payload: row.payload, tries: row.tries, trigger: triggerFromRow(trigger), lease: name }
  }
}

// In the words of the index that finds them: as a parameter the engine would not know it for that.
const isWaiting = sql<boolean>`state = 'waiting'`

// A trigger is switched off by the same failure that makes its day of them full, so both are one transaction.
async function settle(
  tx: Writing,
  { delivery, lease, tries }: DeliveryClaim,
  attempt: Attempt,
  { state, dueAt, isGone }: Settled,
): Promise<boolean> {
  const { personaId, triggerId } = delivery
  if (state !== 'sent' && !(await lockPersona(tx, personaId))) return false
  const isOn = await noteOnTrigger(tx, delivery, attempt, state === 'sent')
  const next = state === 'waiting' && !isOn ? 'failed' : state
  const at = attempt.at.getTime() + attempt.tookMs
  const number = delivery.attempts + 1
  const mine = await held(tx, delivery, lease, {
    state: next,
    attempts: number,
    tries: tries + 1,
    lease: null,
    last_status: attempt.status,
    last_error: attempt.error,
    ...(next === 'waiting' ? { due_at: dueAt!.getTime() } : { settled_at: Math.round(at) }),
  })
  if (!mine) return false
  const own = { persona_id: personaId, delivery_id: delivery.id }
  await tx
    .insertInto('delivery_attempts')
    .values({ ...own, number, ...attemptToRow(attempt) })
    .execute()
  if (number > limits.attemptsKept)
    await tx
      .deleteFrom('delivery_attempts')
      .where('persona_id', '=', personaId)
      .where('delivery_id', '=', delivery.id)
      .where('number', '<=', number - limits.attemptsKept)
      .execute()
  if (isGone) await switchOff(tx, personaId, triggerId, switchedOffBy.gone, attempt.at)
  return true
}

// Whether the trigger is still on after this attempt.
async function noteOnTrigger(
  tx: Writing,
  { personaId, triggerId }: Delivery,
  { at }: Attempt,
  isSent: boolean,
): Promise<boolean> {
  const trigger = await tx
    .selectFrom('triggers')
    .select(['is_on', 'failing_since'])
    .where('persona_id', '=', personaId)
    .where('id', '=', triggerId)
    .executeTakeFirst()
  if (!trigger) return false
  const failing_since = isSent ? null : (trigger.failing_since ?? at.getTime())
  if (failing_since !== trigger.failing_since)
    await tx
      .updateTable('triggers')
      .set({ failing_since })
      .where('persona_id', '=', personaId)
      .where('id', '=', triggerId)
      .execute()
  if (trigger.is_on === 0) return false
  if (failing_since === null || at.getTime() - failing_since < shared.triggerFailingMs) return true
  await switchOff(tx, personaId, triggerId, switchedOffBy.failing, at)
  return false
}

async function held(tx: Writing, delivery: Delivery, lease: string, changes: Partial<DeliveryRow>): Promise<boolean> {
  const changed = await tx
    .updateTable('deliveries')
    .set(changes)
    .where('persona_id', '=', delivery.personaId)
    .where('id', '=', delivery.id)
    .where('lease', '=', lease)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

// The newest settled ones are kept for a while; what waits stays. How many went.
async function tidyTrigger(tx: Writing, personaId: number, triggerId: string, at: Date): Promise<number> {
  const settled = tx
    .selectFrom('deliveries')
    .select('id')
    .where('persona_id', '=', personaId)
    .where('trigger_id', '=', triggerId)
    .where('state', '<>', 'waiting')
  const beyond = await settled.orderBy('id', 'desc').offset(limits.deliveriesKept).limit(limits.tidyRows).execute()
  const old = await settled
    .where('settled_at', '<', at.getTime() - limits.deliveriesKeptMs)
    .limit(limits.tidyRows)
    .execute()
  const ids = [...new Set([...beyond, ...old].map(({ id }) => id))]
  if (ids.length === 0) return 0
  await tx.deleteFrom('delivery_attempts').where('persona_id', '=', personaId).where('delivery_id', 'in', ids).execute()
  await tx.deleteFrom('deliveries').where('persona_id', '=', personaId).where('id', 'in', ids).execute()
  return ids.length
}

const listed = [
  'persona_id',
  'id',
  'trigger_id',
  'type',
  'state',
  'attempts',
  'due_at',
  'last_status',
  'last_error',
  'created_at',
  'settled_at',
] as const satisfies (keyof DeliveryRow)[]

const deliveryFromRow = (row: Pick<DeliveryRow, (typeof listed)[number]>): Delivery => ({
  personaId: row.persona_id,
  id: row.id,
  triggerId: row.trigger_id,
  type: row.type as Delivery['type'],
  state: row.state,
  attempts: row.attempts,
  dueAt: new Date(row.due_at),
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: new Date(row.created_at),
  settledAt: row.settled_at === null ? null : new Date(row.settled_at),
})

const attemptToRow = (attempt: Attempt) => ({
  at: attempt.at.getTime(),
  took_ms: attempt.tookMs,
  status: attempt.status,
  error: attempt.error,
  response: attempt.response,
})

const attemptFromRow = (row: DeliveryAttemptRow): Attempt => ({
  at: new Date(row.at),
  tookMs: row.took_ms,
  status: row.status,
  error: row.error,
  response: row.response,
})
