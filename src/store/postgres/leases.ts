// After a crash nobody waits for leases to run out: one whose process has no connection any more is free.
import { sql } from 'kysely'
import { limits as learning } from '../../domain/limits.ts'
import { limits } from '../limits.ts'
import type { Connections } from './connection.ts'

// A lease renewed a moment ago is left alone: its process may only be connecting again.
// What was begun goes behind what was not, so that a document that stops a process does not do it at once again.
export async function releaseDeadLeases({ writeLightly }: Pick<Connections, 'writeLightly'>): Promise<void> {
  const now = Date.now()
  const renewedBefore = now + learning.learnLeaseMs - limits.leaseGraceMs
  await sql`
    update documents
    set state = 'waiting', lease = null, lease_until = null, changed_at = ${now},
        due_at = case when attempts = 0 then created_at else ${now}::bigint end
    where state = 'reading' and lease is not null and lease_until < ${renewedBefore}::bigint
      and ${isDead}`.execute(writeLightly)
  await sql`
    update deliveries set lease = null, due_at = ${now}::bigint
    where lease is not null and due_at < ${now + learning.deliveryLeaseMs - limits.leaseGraceMs}::bigint
      and ${isDead}`.execute(writeLightly)
  await sql`
    update requests set lease_until = ${now}::bigint
    where lease is not null and lease_until > ${now}::bigint and created_at < ${now - limits.leaseGraceMs}::bigint
      and ${isDead}`.execute(writeLightly)
  await sql`
    update sources set lease = null, lease_until = null
    where lease is not null and lease_until < ${now + learning.sourceLeaseMs - limits.leaseGraceMs}::bigint
      and ${isDead}`.execute(writeLightly)
}

const isDead = sql`split_part(lease, '/', 1) not in
  (select application_name from pg_stat_activity where application_name is not null)`
