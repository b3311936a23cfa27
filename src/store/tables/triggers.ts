// Triggers of a persona, and what all of them together want to be told.
import { AppError } from '../../domain/errors.ts'
import { limits } from '../../domain/limits.ts'
import { switchedOffBy, type Trigger } from '../../domain/trigger.ts'
import type { Triggers } from '../../ports/triggers.ts'
import type { Database, Writing } from './database.ts'
import { count } from './receipt.ts'
import type { TriggerRow } from './schema.ts'

export function triggers({ read, durably }: Database): Triggers {
  const ofPersona = (personaId: number) => read.selectFrom('triggers').selectAll().where('persona_id', '=', personaId)
  return {
    create: (trigger) =>
      durably(async (tx) => {
        if (!(await lockPersona(tx, trigger.personaId))) throw new AppError('not_found', 'This persona was deleted.')
        const have = await count(tx.selectFrom('triggers').where('persona_id', '=', trigger.personaId))
        if (have >= limits.triggers)
          throw new AppError('conflict', `A persona has ${limits.triggers} triggers at most: delete one first.`)
        await tx.insertInto('triggers').values(toRow(trigger)).execute()
        await noteWanted(tx, trigger.personaId)
      }),

    async list(personaId) {
      return (await ofPersona(personaId).orderBy('id', 'desc').execute()).map(triggerFromRow)
    },

    async get(personaId, id) {
      const row = await ofPersona(personaId).where('id', '=', id).executeTakeFirst()
      return row && triggerFromRow(row)
    },

    update: (personaId, id, changes, at) =>
      durably(async (tx) => {
        await lockPersona(tx, personaId)
        const row = await tx
          .selectFrom('triggers')
          .selectAll()
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row) return undefined
        const after = { ...triggerFromRow(row), ...changes, updatedAt: at }
        // Switched on again, or sent elsewhere: what failed before does not count any more.
        if (changes.isOn || (changes.url !== undefined && changes.url !== row.url)) after.failingSince = null
        if (changes.isOn) after.offReason = null
        const { persona_id: _, id: __, ...fields } = toRow(after)
        await tx.updateTable('triggers').set(fields).where('persona_id', '=', personaId).where('id', '=', id).execute()
        if (changes.isOn === false && row.is_on === 1) {
          await switchOff(tx, personaId, id, switchedOffBy.owner, at)
          after.offReason = switchedOffBy.owner
        } else await noteWanted(tx, personaId)
        return after
      }),

    remove: (personaId, id) =>
      durably(async (tx) => {
        await lockPersona(tx, personaId)
        const gone = await tx
          .deleteFrom('triggers')
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .executeTakeFirst()
        if (gone.numDeletedRows === 0n) return false
        const own = tx.selectFrom('deliveries').select('id').where('persona_id', '=', personaId)
        await tx
          .deleteFrom('delivery_attempts')
          .where('persona_id', '=', personaId)
          .where('delivery_id', 'in', own.where('trigger_id', '=', id))
          .execute()
        await tx.deleteFrom('deliveries').where('persona_id', '=', personaId).where('trigger_id', '=', id).execute()
        await noteWanted(tx, personaId)
        return true
      }),
  }
}

// What still waits is not sent any more; the owner finds it in the log and may send it again.
export async function switchOff(tx: Writing, personaId: number, id: string, reason: string, at: Date): Promise<void> {
  await tx
    .updateTable('triggers')
    .set({ is_on: 0, off_reason: reason })
    .where('persona_id', '=', personaId)
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('deliveries')
    .set({ state: 'failed', last_error: 'The trigger was switched off.', settled_at: at.getTime() })
    .where('persona_id', '=', personaId)
    .where('trigger_id', '=', id)
    .where('state', '=', 'waiting')
    // One that is under way settles itself.
    .where('lease', 'is', null)
    .execute()
  await noteWanted(tx, personaId)
}

// Triggers of one persona change one after the other: `wanted_events` is made of all of them.
export async function lockPersona(tx: Writing, personaId: number): Promise<boolean> {
  const found = await tx.updateTable('personas').set({ id: personaId }).where('id', '=', personaId).executeTakeFirst()
  return found.numUpdatedRows > 0n
}

async function noteWanted(tx: Writing, personaId: number): Promise<void> {
  const on = await tx
    .selectFrom('triggers')
    .select('events')
    .where('persona_id', '=', personaId)
    .where('is_on', '=', 1)
    .execute()
  const types = new Set(on.flatMap(({ events }) => JSON.parse(events) as string[]))
  await tx
    .updateTable('personas')
    .set({ wanted_events: [...types].sort().join(',') })
    .where('id', '=', personaId)
    .execute()
}

const toRow = (trigger: Trigger): TriggerRow => ({
  persona_id: trigger.personaId,
  id: trigger.id,
  name: trigger.name,
  source: trigger.source,
  events: JSON.stringify(trigger.on),
  url: trigger.url,
  secret: trigger.secret,
  old_secret: trigger.oldSecret,
  old_secret_until: trigger.oldSecretUntil?.getTime() ?? null,
  is_on: trigger.isOn ? 1 : 0,
  off_reason: trigger.offReason,
  failing_since: trigger.failingSince?.getTime() ?? null,
  created_at: trigger.createdAt.getTime(),
  updated_at: trigger.updatedAt.getTime(),
})

const timeOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

export const triggerFromRow = (row: TriggerRow): Trigger => ({
  personaId: row.persona_id,
  id: row.id,
  name: row.name,
  source: row.source,
  on: JSON.parse(row.events),
  url: row.url,
  secret: row.secret,
  oldSecret: row.old_secret,
  oldSecretUntil: timeOf(row.old_secret_until),
  isOn: row.is_on === 1,
  offReason: row.off_reason,
  failingSince: timeOf(row.failing_since),
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
})
