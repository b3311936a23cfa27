// Accounts and the one-time links that lead to them.
import { AppError } from '../../domain/errors.ts'
import { type Account, emailKey, type Invitation } from '../../domain/people.ts'
import type { Accounts, Invitations } from '../../ports/people.ts'
import type { Database, Writing } from './database.ts'
import type { AccountRow, InvitationRow } from './people-rows.ts'
import { leaveWays } from './ways.ts'

export function accounts({ read, durably, quickly }: Database): Accounts {
  const find = (column: 'id' | 'email_key', value: string) =>
    read.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst()
  return {
    async byId(id) {
      const row = await find('id', id)
      return row && accountFrom(row)
    },

    async byEmail(email) {
      const row = await find('email_key', emailKey(email))
      return row && accountFrom(row)
    },

    async list() {
      return (await read.selectFrom('accounts').selectAll().orderBy('id').execute()).map(accountFrom)
    },

    async create(account) {
      await durably((tx) => insertAccount(tx, account))
    },

    update: (id, { personas, ...changes }) =>
      durably(async (tx) => {
        const row = await tx
          .updateTable('accounts')
          .set({ id, ...changes, ...(personas !== undefined && { personas: JSON.stringify(personas) }) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        return row && accountFrom(row)
      }),

    remove: (id) =>
      durably(async (tx) => {
        await tx.deleteFrom('sign_ins').where('who', '=', id).execute()
        await tx.deleteFrom('invitations').where('account_id', '=', id).execute()
        await tx.deleteFrom('passkeys').where('account_id', '=', id).execute()
        await leaveWays(tx, id)
        await tx.deleteFrom('identities').where('account_id', '=', id).execute()
        const gone = await tx.deleteFrom('accounts').where('id', '=', id).executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),

    touched(id, at) {
      quickly((tx) =>
        tx.updateTable('accounts').set({ last_seen_at: at.getTime() }).where('id', '=', id).execute(),
      ).catch(() => {
        // Only lists show it; the next use writes it again.
      })
    },
  }
}

export function invitations({ read, durably }: Database): Invitations {
  return {
    async create(invitation) {
      await durably((tx) => tx.insertInto('invitations').values(invitationRow(invitation)).execute())
    },

    async byHash(hash) {
      const row = await read.selectFrom('invitations').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && invitationFrom(row)
    },

    async list() {
      return (await read.selectFrom('invitations').selectAll().orderBy('id').execute()).map(invitationFrom)
    },

    remove: (id) => durably((tx) => take(tx, id)),

    redeem: (id, redeemed) =>
      durably(async (tx) => {
        if (!(await take(tx, id))) return false
        if ('account' in redeemed) await insertAccount(tx, redeemed.account)
        else {
          const { accountId, password } = redeemed
          await tx.updateTable('accounts').set({ password }).where('id', '=', accountId).execute()
          await tx.deleteFrom('sign_ins').where('who', '=', accountId).execute()
        }
        return true
      }),
  }
}

// Of two who come with the same link one takes it.
async function take(tx: Writing, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
  return gone.numDeletedRows > 0n
}

async function insertAccount(tx: Writing, account: Account): Promise<void> {
  const made = await tx
    .insertInto('accounts')
    .values(accountRow(account))
    .onConflict((on) => on.column('email_key').doNothing())
    .executeTakeFirst()
  if (!made.numInsertedOrUpdatedRows) throw new AppError('conflict', `${account.email} has an account already.`)
}

// A persona that is deleted is nobody's any more.
export async function leavePeople(tx: Writing, personaId: number): Promise<void> {
  for (const table of ['accounts', 'invitations'] as const)
    for (const { id, personas } of await tx.selectFrom(table).select(['id', 'personas']).execute()) {
      const held: number[] | '*' = JSON.parse(personas)
      if (held === '*' || !held.includes(personaId)) continue
      const rest = JSON.stringify(held.filter((other) => other !== personaId))
      await tx.updateTable(table).set({ personas: rest }).where('id', '=', id).execute()
    }
}

const accountRow = ({ email, personas, createdAt, lastSeenAt, ...account }: Account): AccountRow => ({
  ...account,
  email: email.trim(),
  email_key: emailKey(email),
  personas: JSON.stringify(personas),
  created_at: createdAt.getTime(),
  last_seen_at: lastSeenAt?.getTime() ?? null,
})

export const accountFrom = ({ email_key: _, created_at, last_seen_at, personas, ...row }: AccountRow): Account => ({
  ...row,
  personas: JSON.parse(personas),
  createdAt: new Date(created_at),
  lastSeenAt: last_seen_at === null ? null : new Date(last_seen_at),
})

const invitationRow = ({ accountId, personas, createdAt, expiresAt, ...rest }: Invitation): InvitationRow => ({
  ...rest,
  personas: JSON.stringify(personas),
  account_id: accountId,
  created_at: createdAt.getTime(),
  expires_at: expiresAt.getTime(),
})

const invitationFrom = ({ account_id, personas, created_at, expires_at, ...row }: InvitationRow): Invitation => ({
  ...row,
  personas: JSON.parse(personas),
  accountId: account_id,
  createdAt: new Date(created_at),
  expiresAt: new Date(expires_at),
})
