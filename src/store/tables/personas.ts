// Personas, and everything that goes with one of them.
import { AppError } from '../../domain/errors.ts'
import { domainKey, type Persona, type Receipt } from '../../domain/persona.ts'
import { unshared } from '../../domain/sharing.ts'
import type { Personas } from '../../ports/store.ts'
import type { Database } from './database.ts'
import { leavePeople } from './people.ts'
import { total } from './receipt.ts'
import type { PersonaRow } from './schema.ts'

export function personas({ read, durably }: Database): Personas {
  const find = (column: 'id' | 'domain_key', value: number | string) =>
    read.selectFrom('personas').selectAll().where(column, '=', value).executeTakeFirst()

  return {
    async create(persona) {
      await durably(async (tx) => {
        const made = await tx
          .insertInto('personas')
          .values(toRow(persona))
          .onConflict((on) => on.column('domain_key').doNothing())
          .executeTakeFirst()
        if (!made.numInsertedOrUpdatedRows)
          throw new AppError('conflict', `A persona named ${persona.domainName} exists already.`)
      })
    },

    async byDomainName(domainName) {
      const row = await find('domain_key', domainKey(domainName))
      return row && fromRow(row)
    },

    async byId(id) {
      const row = await find('id', id)
      return row && fromRow(row)
    },

    async list() {
      const rows = await read.selectFrom('personas').selectAll().orderBy('created_at').orderBy('domain_key').execute()
      return rows.map(fromRow)
    },

    update: (id, changes) =>
      durably(async (tx) => {
        // Touched before it is read: two changes at once come one after the other.
        const row = await tx.updateTable('personas').set({ id }).where('id', '=', id).returningAll().executeTakeFirst()
        if (!row) return undefined
        const before = fromRow(row)
        const owner = { ...before.owner, ...changes.owner }
        const sharing = { ...before.sharing, ...changes.sharing }
        const after = { ...before, ...changes, owner, sharing }
        await tx.updateTable('personas').set(toRow(after)).where('id', '=', id).execute()
        return after
      }),

    remove: (id) =>
      durably(async (tx) => {
        const gone = await tx.deleteFrom('personas').where('id', '=', id).executeTakeFirst()
        if (gone.numDeletedRows === 0n) return undefined
        const file_bytes = await total(tx.selectFrom('documents').where('persona_id', '=', id))
        const removed = new Map<string, number>()
        // Documents first: whoever is learning one of them then writes nothing any more.
        for (const table of ofPersona) {
          const { numDeletedRows } = await tx.deleteFrom(table).where('persona_id', '=', id).executeTakeFirstOrThrow()
          removed.set(table, Number(numDeletedRows))
        }
        await leaveKeys(tx, id)
        await leavePeople(tx, id)
        const counted = (['documents', 'memories', 'revisions', 'sessions', 'messages', 'drafts'] as const).map(
          (table) => [table, removed.get(table)!],
        )
        return { ...Object.fromEntries(counted), file_bytes } as Receipt
      }),
  }
}

const ofPersona = [
  'documents',
  'traces',
  'vectors',
  'memories',
  'file_pieces',
  'revisions',
  'messages',
  'sessions',
  'drafts',
  'replies',
  'triggers',
  'deliveries',
  'delivery_attempts',
  'sources',
  'source_pages',
  'requests',
  'changes',
  'versions',
] as const

// A key made for this persona alone goes with it; a key for several loses this one.
async function leaveKeys(tx: Parameters<Parameters<Database['durably']>[0]>[0], id: number): Promise<void> {
  for (const key of await tx.selectFrom('keys').select(['id', 'personas', 'default_persona']).execute()) {
    const left: number[] | '*' = JSON.parse(key.personas)
    if (left === '*' ? key.default_persona !== id : !left.includes(id)) continue
    const rest = left === '*' ? left : left.filter((other) => other !== id)
    if (rest.length === 0) await tx.deleteFrom('keys').where('id', '=', key.id).execute()
    else {
      const defaultPersona = key.default_persona === id ? null : key.default_persona
      const changes = { personas: JSON.stringify(rest), default_persona: defaultPersona }
      await tx.updateTable('keys').set(changes).where('id', '=', key.id).execute()
    }
  }
}

const toRow = (persona: Persona): Omit<PersonaRow, 'wanted_events'> => ({
  id: persona.id,
  domain_key: domainKey(persona.domainName),
  domain_name: persona.domainName,
  name: persona.name,
  picture: persona.picture,
  threshold: persona.threshold,
  instructions: persona.instructions,
  model: persona.model && JSON.stringify(persona.model),
  requires_source_name: persona.requiresSourceName ? 1 : 0,
  owner_name: persona.owner.name,
  owner_email: persona.owner.email,
  owner_picture: persona.owner.picture,
  owner_identity_id: persona.owner.identityId,
  calibration: persona.calibration && JSON.stringify(persona.calibration),
  sharing: JSON.stringify(persona.sharing),
  created_at: persona.createdAt.getTime(),
})

const fromRow = (row: Omit<PersonaRow, 'wanted_events'>): Persona => ({
  id: row.id,
  domainName: row.domain_name,
  name: row.name,
  picture: row.picture,
  threshold: row.threshold,
  instructions: row.instructions,
  model: row.model === null ? null : JSON.parse(row.model),
  requiresSourceName: row.requires_source_name === 1,
  owner: {
    name: row.owner_name,
    email: row.owner_email,
    picture: row.owner_picture,
    identityId: row.owner_identity_id,
  },
  calibration: row.calibration === null ? null : JSON.parse(row.calibration),
  sharing: row.sharing === null ? unshared : JSON.parse(row.sharing),
  createdAt: new Date(row.created_at),
})
