// What waits for people: drafts, documents that failed, triggers and followed sources that were switched off.
import { sql } from 'kysely'
import { OFF_BY_IMPORT, OFF_BY_OWNER } from '../../domain/followed-source.ts'
import { switchedOffBy } from '../../domain/trigger.ts'
import type { Notices, Waiting } from '../../ports/notices.ts'
import type { Database } from './database.ts'
import { ways } from './ways.ts'

export function notices(database: Database, leaseHolder: string): Notices {
  const { read } = database
  return {
    ...ways(database, leaseHolder),

    async drafts(personas) {
      if (personas.length === 0) return []
      let all = read.selectFrom('drafts').groupBy('persona_id').select('persona_id')
      if (personas !== '*') all = all.where('persona_id', 'in', personas)
      const rows = await all.select(({ fn }) => [fn.countAll().as('rows'), fn.min('created_at').as('since')]).execute()
      return rows.map(waitingFromRow)
    },

    async failures(personas) {
      if (personas.length === 0) return []
      let all = read.selectFrom('documents').where(isFailed).groupBy('persona_id').select('persona_id')
      if (personas !== '*') all = all.where('persona_id', 'in', personas)
      const rows = await all.select(({ fn }) => [fn.countAll().as('rows'), fn.min('changed_at').as('since')]).execute()
      return rows.map(waitingFromRow)
    },

    async switchedOff(personas) {
      if (personas.length === 0) return []
      let all = read
        .selectFrom('triggers')
        .select(['persona_id', 'id', 'name', 'off_reason', 'updated_at'])
        .where('is_on', '=', 0)
      if (personas !== '*') all = all.where('persona_id', 'in', personas)
      const off = (await all.execute()).filter((row) => row.off_reason !== switchedOffBy.owner)
      return off.map((row) => ({
        personaId: row.persona_id,
        id: row.id,
        name: row.name,
        reason: row.off_reason!,
        since: new Date(row.updated_at),
      }))
    },

    async sourcesOff(personas) {
      if (personas.length === 0) return []
      let all = read
        .selectFrom('sources')
        .select(['persona_id', 'id', 'title', 'url', 'off_reason', 'updated_at'])
        .where('is_on', '=', 0)
      if (personas !== '*') all = all.where('persona_id', 'in', personas)
      const off = (await all.execute()).filter((row) => !CHOSEN.includes(row.off_reason!))
      return off.map((row) => ({
        personaId: row.persona_id,
        id: row.id,
        name: row.title || row.url,
        reason: row.off_reason!,
        since: new Date(row.updated_at),
      }))
    },
  }
}

const CHOSEN = [OFF_BY_OWNER, OFF_BY_IMPORT]

// In the words of the index that finds them.
const isFailed = sql<boolean>`state = 'failed'`

type Counted = { persona_id: number; rows: number | bigint | string; since: number | string }

const waitingFromRow = ({ persona_id, rows, since }: Counted): Waiting => ({
  personaId: persona_id,
  count: Number(rows),
  since: new Date(Number(since)),
})
