// Sessions as their owner keeps them in order: listed, named, deleted, and their last question taken back.
import { sql } from 'kysely'
import { consoleApp, type Session } from '../../domain/conversation.ts'
import type { Conversations } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { emptyReceipt } from './receipt.ts'
import type { SessionRow } from './schema.ts'

type Sessions = Pick<Conversations, 'sessions' | 'session' | 'rename' | 'remove' | 'takeBack'>

export function sessions({ read, durably }: Database): Sessions {
  const ofPersona = (personaId: number) =>
    read
      .selectFrom('sessions')
      .selectAll()
      .select((is) =>
        is
          .selectFrom('messages')
          .select(sql<string>`substr(text, 1, ${sql.lit(limits.openingCharacters)})`.as('text'))
          .whereRef('messages.persona_id', '=', 'sessions.persona_id')
          .whereRef('messages.session_id', '=', 'sessions.id')
          .where('position', '=', 1)
          .as('opening'),
      )
      .where('persona_id', '=', personaId)
  return {
    async sessions(personaId, { limit, before, isOwn, holder }) {
      let query = ofPersona(personaId)
      if (isOwn !== undefined) query = query.where('source_app', isOwn ? '=' : '<>', consoleApp)
      if (holder !== undefined) query = query.where('holder', '=', holder)
      if (before !== undefined) {
        const last = await read
          .selectFrom('sessions')
          .select(['id', 'last_at'])
          .where('persona_id', '=', personaId)
          .where('id', '=', before)
          .executeTakeFirst()
        if (!last) return []
        query = query.where((is) =>
          is.or([is('last_at', '<', last.last_at), is.and([is('last_at', '=', last.last_at), is('id', '<', last.id)])]),
        )
      }
      const rows = await query.orderBy('last_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
      return rows.map(fromRow)
    },

    async session(personaId, id) {
      const row = await ofPersona(personaId).where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    rename: (personaId, id, title) =>
      durably(async (tx) => {
        const changed = await tx
          .updateTable('sessions')
          .set({ title })
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .executeTakeFirst()
        return changed.numUpdatedRows > 0n
      }),

    remove: (personaId, id) =>
      durably(async (tx) => {
        const session = await locked(tx, personaId, id)
        if (!session) return undefined
        const messages = await removeFrom(tx, session, 1)
        const drafts = await removeDrafts(tx, session, '')
        await tx.deleteFrom('replies').where('persona_id', '=', personaId).where('session_id', '=', id).execute()
        return { ...emptyReceipt, sessions: 1, messages, drafts }
      }),

    takeBack: (personaId, id) =>
      durably(async (tx) => {
        const session = await locked(tx, personaId, id)
        if (!session) return undefined
        const question = await tx
          .selectFrom('messages')
          .select(['position', 'id', 'text', 'source_app'])
          .where('persona_id', '=', personaId)
          .where('session_id', '=', id)
          .where('role', '=', 'user')
          .orderBy('position', 'desc')
          .limit(1)
          .executeTakeFirst()
        if (question?.source_app !== consoleApp) return undefined
        await removeFrom(tx, session, question.position)
        await removeDrafts(tx, session, question.id)
        // A verdict stays: the score learns from it whatever is asked next.
        await tx
          .deleteFrom('replies')
          .where('persona_id', '=', personaId)
          .where('session_id', '=', id)
          .where('id', '>', question.id)
          .where('label', 'is', null)
          .execute()
        return question.text
      }),
  }
}

// Touched first: whoever adds to the session meanwhile waits.
const locked = (tx: Writing, personaId: number, id: string): Promise<SessionRow | undefined> =>
  tx
    .updateTable('sessions')
    .set({ id })
    .where('persona_id', '=', personaId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

// The messages from this position on; the session goes with its first one.
async function removeFrom(tx: Writing, session: SessionRow, position: number): Promise<number> {
  const { persona_id, id } = session
  const gone = await tx
    .deleteFrom('messages')
    .where('persona_id', '=', persona_id)
    .where('session_id', '=', id)
    .where('position', '>=', position)
    .executeTakeFirst()
  if (position === 1)
    await tx.deleteFrom('sessions').where('persona_id', '=', persona_id).where('id', '=', id).execute()
  else
    await tx
      .updateTable('sessions')
      .set({ messages: position - 1 })
      .where('persona_id', '=', persona_id)
      .where('id', '=', id)
      .execute()
  return Number(gone.numDeletedRows)
}

async function removeDrafts(tx: Writing, { persona_id, id }: SessionRow, after: string): Promise<number> {
  const gone = await tx
    .deleteFrom('drafts')
    .where('persona_id', '=', persona_id)
    .where('session_id', '=', id)
    .where('id', '>', after)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

const fromRow = (row: SessionRow & { opening: string | null }): Session => ({
  personaId: row.persona_id,
  id: row.id,
  title: row.title,
  holder: row.holder,
  sourceApp: row.source_app,
  opening: row.opening ?? '',
  messages: row.messages,
  startedAt: new Date(row.started_at),
  lastAt: new Date(row.last_at),
})
