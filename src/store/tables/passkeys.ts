// Passkeys, and the questions that prove that a device has one.
import { AppError } from '../../domain/errors.ts'
import { hashSecret, type Passkey } from '../../domain/people.ts'
import type { Passkeys } from '../../ports/people.ts'
import { limits } from '../limits.ts'
import type { Database } from './database.ts'
import type { PasskeyRow } from './people-rows.ts'

export function passkeys({ read, durably, quickly, visibly }: Database): Passkeys {
  return {
    async ask(challenge, who, until) {
      const now = Date.now()
      await visibly(async (tx) => {
        await tx.deleteFrom('challenges').where('expires_at', '<', now).execute()
        const { open } = await tx
          .selectFrom('challenges')
          .select((is) => is.fn.countAll<number>().as('open'))
          .executeTakeFirstOrThrow()
        if (open >= limits.challenges)
          throw new AppError('unavailable', 'Too many are signing in; try again in a moment.', { retryAfterS: 10 })
        const row = { hash: hashSecret(challenge), who, expires_at: until.getTime() }
        await tx.insertInto('challenges').values(row).execute()
      })
    },

    answered: (challenge, who) =>
      durably(async (tx) => {
        const gone = await tx
          .deleteFrom('challenges')
          .where('hash', '=', hashSecret(challenge))
          .where('who', '=', who)
          .where('expires_at', '>', Date.now())
          .executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),

    async add(passkey, most) {
      await durably(async (tx) => {
        const known = await tx.selectFrom('passkeys').select('id').where('account_id', '=', passkey.accountId).execute()
        if (known.length >= most) throw new AppError('conflict', `There are ${most} passkeys already; remove one.`)
        const made = await tx
          .insertInto('passkeys')
          .values(toRow(passkey))
          .onConflict((on) => on.column('id').doNothing())
          .executeTakeFirst()
        if (!made.numInsertedOrUpdatedRows) throw new AppError('conflict', 'This passkey is known already.')
      })
    },

    async byId(id) {
      const row = await read.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    async list(accountId) {
      const rows = read.selectFrom('passkeys').selectAll().where('account_id', '=', accountId)
      return (await rows.orderBy('created_at').execute()).map(fromRow)
    },

    async used(id, counter, at) {
      await quickly((tx) =>
        tx.updateTable('passkeys').set({ counter, last_used_at: at.getTime() }).where('id', '=', id).execute(),
      )
    },

    remove: (accountId, id) =>
      durably(async (tx) => {
        const gone = await tx
          .deleteFrom('passkeys')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),
  }
}

const toRow = ({ accountId, publicKey, transports, createdAt, lastUsedAt, ...rest }: Passkey): PasskeyRow => ({
  ...rest,
  account_id: accountId,
  public_key: publicKey,
  transports: JSON.stringify(transports),
  created_at: createdAt.getTime(),
  last_used_at: lastUsedAt?.getTime() ?? null,
})

const fromRow = ({ account_id, public_key, transports, created_at, last_used_at, ...row }: PasskeyRow): Passkey => ({
  ...row,
  accountId: account_id,
  publicKey: public_key,
  transports: JSON.parse(transports),
  createdAt: new Date(created_at),
  lastUsedAt: last_used_at === null ? null : new Date(last_used_at),
})
