// Whom other services know by which name: the identities with which people came.
import type { Identities } from '../../ports/people.ts'
import type { Database } from './database.ts'
import { accountFrom } from './people.ts'

export function identities({ read, durably }: Database): Identities {
  return {
    async accountOf({ issuer, subject }) {
      const kept = await read
        .selectFrom('identities')
        .select('account_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
      if (!kept) return undefined
      const row = await read.selectFrom('accounts').selectAll().where('id', '=', kept.account_id).executeTakeFirst()
      return row && accountFrom(row)
    },

    keep: (accountId, { issuer, subject }) =>
      durably(async (tx) => {
        const row = { issuer, subject, account_id: accountId, created_at: Date.now() }
        await tx
          .insertInto('identities')
          .values(row)
          .onConflict((on) => on.doNothing())
          .execute()
        const kept = await tx
          .selectFrom('identities')
          .select('subject')
          .where('issuer', '=', issuer)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        return kept?.subject === subject
      }),
  }
}
