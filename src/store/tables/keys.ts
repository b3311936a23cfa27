// Keys, by the hash of what the caller holds.
import type { Key } from '../../domain/access.ts'
import type { Keys } from '../../ports/store.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'
import type { KeyRow } from './schema.ts'

export function keys({ read, query, durably, quickly }: Database): Keys {
  const withHash = prepared({ query }, (hash: string) => read.selectFrom('keys').selectAll().where('hash', '=', hash))
  return {
    async create(key) {
      await durably((tx) => tx.insertInto('keys').values(toRow(key)).execute())
    },

    async byHash(hash) {
      const [row] = await withHash(hash)
      return row && fromRow(row)
    },

    async list() {
      return (await read.selectFrom('keys').selectAll().orderBy('id', 'desc').execute()).map(fromRow)
    },

    remove: (id) =>
      durably(async (tx) => {
        const gone = await tx.deleteFrom('keys').where('id', '=', id).executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),

    touched(id, at) {
      quickly((tx) => tx.updateTable('keys').set({ last_used_at: at.getTime() }).where('id', '=', id).execute()).catch(
        () => {
          // Only the owner's list shows it; the next use writes it again.
        },
      )
    },
  }
}

const toRow = (key: Key): KeyRow => ({
  id: key.id,
  hash: key.hash,
  last4: key.last4,
  name: key.name,
  admin: key.admin ? 1 : 0,
  personas: JSON.stringify(key.personas),
  default_persona: key.defaultPersona,
  scopes: JSON.stringify(key.scopes),
  legacy: key.legacy ? 1 : 0,
  expires_at: key.expiresAt?.getTime() ?? null,
  created_at: key.createdAt.getTime(),
  last_used_at: key.lastUsedAt?.getTime() ?? null,
})

const fromRow = (row: KeyRow): Key => ({
  id: row.id,
  hash: row.hash,
  last4: row.last4,
  name: row.name,
  admin: row.admin === 1,
  personas: JSON.parse(row.personas),
  defaultPersona: row.default_persona,
  scopes: JSON.parse(row.scopes),
  legacy: row.legacy === 1,
  expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
  createdAt: new Date(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
})
