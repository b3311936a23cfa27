// Who is signed in to the console, on which device, and when they were last seen.
import type { SignIn } from '../../domain/people.ts'
import type { SignIns } from '../../ports/people.ts'
import type { Database } from './database.ts'
import type { SignInRow } from './people-rows.ts'
import { prepared } from './prepared.ts'

export function signIns({ read, query, durably, quickly }: Database): SignIns {
  const withId = prepared({ query }, (id: string) => read.selectFrom('sign_ins').selectAll().where('id', '=', id))
  return {
    async create(signIn, most) {
      await durably(async (tx) => {
        const known = await tx
          .selectFrom('sign_ins')
          .select('id')
          .where('who', '=', signIn.who)
          .orderBy('last_seen_at', 'desc')
          .execute()
        const old = known.slice(most - 1).map(({ id }) => id)
        if (old.length > 0) await tx.deleteFrom('sign_ins').where('id', 'in', old).execute()
        await tx.insertInto('sign_ins').values(toRow(signIn)).execute()
      })
    },

    async byId(id) {
      const [row] = await withId(id)
      return row && fromRow(row)
    },

    async list(who) {
      const rows = read.selectFrom('sign_ins').selectAll().where('who', '=', who)
      return (await rows.orderBy('last_seen_at', 'desc').execute()).map(fromRow)
    },

    remove: (who, id) =>
      durably(async (tx) => {
        const gone = await tx.deleteFrom('sign_ins').where('who', '=', who).where('id', '=', id).executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),

    removeOthers: (who, kept = '') =>
      durably(async (tx) => {
        const gone = await tx.deleteFrom('sign_ins').where('who', '=', who).where('id', '<>', kept).executeTakeFirst()
        return Number(gone.numDeletedRows)
      }),

    touched(id, at, address) {
      quickly((tx) =>
        tx.updateTable('sign_ins').set({ last_seen_at: at.getTime(), address }).where('id', '=', id).execute(),
      ).catch(() => {
        // The next request writes it again.
      })
    },

    async tidy({ kept, others }) {
      await quickly((tx) =>
        tx
          .deleteFrom('sign_ins')
          .where((is) =>
            is.or([
              is.and([is('is_kept', '=', 1), is('last_seen_at', '<', kept.getTime())]),
              is.and([is('is_kept', '=', 0), is('last_seen_at', '<', others.getTime())]),
            ]),
          )
          .execute(),
      )
    },
  }
}

const toRow = ({ keyHash, cookieHash, tabHash, isKept, createdAt, lastSeenAt, ...rest }: SignIn): SignInRow => ({
  ...rest,
  key_hash: keyHash,
  cookie_hash: cookieHash,
  tab_hash: tabHash,
  is_kept: isKept ? 1 : 0,
  created_at: createdAt.getTime(),
  last_seen_at: lastSeenAt.getTime(),
})

const fromRow = ({
  key_hash,
  cookie_hash,
  tab_hash,
  is_kept,
  created_at,
  last_seen_at,
  ...row
}: SignInRow): SignIn => ({
  ...row,
  keyHash: key_hash,
  cookieHash: cookie_hash,
  tabHash: tab_hash,
  isKept: is_kept === 1,
  createdAt: new Date(created_at),
  lastSeenAt: new Date(last_seen_at),
})
