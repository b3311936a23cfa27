// What each key may still spend, counted by the database for all processes, by its clock.
import { sql } from 'kysely'
import type { Allowances } from '../../ports/store.ts'
import type { Connections } from './connection.ts'
import { retrying } from './retry.ts'

export function createAllowances({ writeLightly }: Pick<Connections, 'writeLightly'>): Allowances {
  return {
    async take(keyId, perMinute, wanted) {
      const now = sql`extract(epoch from clock_timestamp())::double precision`
      const left = sql`least(${perMinute}::double precision, kept.left_over + greatest(0, ${now} - kept.at) * ${perMinute / 60}::double precision)`
      const granted = sql`least(${wanted}::double precision, floor(${left}))`
      const statement = sql<{ granted: number; left_over: number }>`
        insert into allowances as kept (key_id, left_over, granted, at)
        values (${keyId}, ${perMinute - Math.min(perMinute, wanted)}, ${Math.min(perMinute, wanted)}, ${now})
        on conflict (key_id) do update set granted = ${granted}, left_over = ${left} - ${granted}, at = ${now}
        returning granted, left_over`
      const { rows } = await retrying(() => statement.execute(writeLightly))
      const row = rows[0]!
      const waitMs = row.granted > 0 ? 0 : ((1 - row.left_over) * 60_000) / perMinute
      return { granted: row.granted, left: row.left_over, waitMs }
    },
  }
}
