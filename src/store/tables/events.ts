// Events are written with what they tell of, in the same transaction, and only where a trigger wants them.
import { type RawBuilder, sql } from 'kysely'
import { eventTime } from '../../domain/events.ts'
import { newId } from '../../domain/id.ts'
import { type PersonaEvent, wants } from '../../domain/trigger.ts'
import { currentRequestId } from '../../telemetry/scope.ts'
import type { Writing } from './database.ts'
import type { DeliveryRow } from './schema.ts'

// Asked for in a statement that is made anyway: a persona without triggers pays no statement of its own.
export const wantedEvents = (personaId: number): RawBuilder<string | null> =>
  sql`(select wanted_events from personas where personas.id = ${personaId})`

// True when something was written: then announce it once the transaction is committed.
export async function writeEvents(
  tx: Writing,
  personaId: number,
  wanted: string | null,
  events: PersonaEvent[],
): Promise<boolean> {
  const types = wanted ? wanted.split(',') : []
  const asked = events.filter(({ type }) => types.includes(type))
  if (asked.length === 0) return false
  const triggers = await tx
    .selectFrom('triggers')
    .innerJoin('personas', 'personas.id', 'triggers.persona_id')
    .select(['triggers.id', 'source', 'events', 'domain_name'])
    .where('persona_id', '=', personaId)
    .where('is_on', '=', 1)
    .execute()
  const rows = asked.flatMap((event) =>
    triggers
      .filter(({ source, events }) => wants({ source, on: JSON.parse(events) }, event))
      .map(({ id, domain_name }) => newDelivery(personaId, id, domain_name, event)),
  )
  if (rows.length > 0) await tx.insertInto('deliveries').values(rows).execute()
  return rows.length > 0
}

export function newDelivery(
  personaId: number,
  triggerId: string,
  domainName: string,
  { type, at, data }: PersonaEvent,
): DeliveryRow {
  const now = Date.now()
  const shared = { domain_name: domainName, request_id: currentRequestId() }
  return {
    persona_id: personaId,
    id: newId(),
    trigger_id: triggerId,
    way: null,
    type,
    payload: JSON.stringify({ type, timestamp: eventTime(at), data: { ...shared, ...data } }),
    state: 'waiting',
    attempts: 0,
    tries: 0,
    due_at: now,
    lease: null,
    last_status: null,
    last_error: null,
    created_at: now,
    settled_at: null,
  }
}

// An event repeats what it tells of: what is forgotten is not told, or kept, any more.
export async function leaveDeliveries(tx: Writing, personaId: number, documentId: string): Promise<void> {
  const telling = await tx
    .selectFrom('deliveries')
    .select(['id', 'payload'])
    .where('persona_id', '=', personaId)
    .where('payload', 'like', `%"document_id":"${documentId}"%`)
    .execute()
  for (const { id, payload } of telling) {
    const event = JSON.parse(payload) as { data: { text?: string } }
    if (!event.data.text) continue
    event.data.text = ''
    await tx
      .updateTable('deliveries')
      .set({ payload: JSON.stringify(event) })
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .execute()
  }
}
