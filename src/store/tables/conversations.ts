// Sessions, their messages, and the drafts that wait beside them.
import { type RawBuilder, sql } from 'kysely'
import type { Draft, Message } from '../../domain/conversation.ts'
import { draftSettled, eventsOfExchange } from '../../domain/events.ts'
import type { Conversations, Drafts, Exchange } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { insertDocument } from './documents.ts'
import { wantedEvents, writeEvents } from './events.ts'
import { inTurn } from './in-turn.ts'
import { prepared } from './prepared.ts'
import { count } from './receipt.ts'
import { insertReply, setLabel } from './replies.ts'
import { keepAnswer } from './requests.ts'
import type { DraftRow, MessageRow } from './schema.ts'
import { sessions } from './sessions.ts'
import { writeNotices } from './ways.ts'

export function conversations(database: Database): Conversations {
  const { read, stored, query, durably, announceEvents } = database
  const lastSizes = prepared({ query }, (personaId: number, sessionId: string) =>
    stored
      .selectFrom('messages')
      .select(['position as id', sql<number>`octet_length(text)`.as('bytes')])
      .where('persona_id', '=', personaId)
      .where('session_id', '=', sessionId)
      .orderBy('position', 'desc')
      .limit(sql.lit(limits.historyEntries)),
  )
  const messagesBetween = prepared({ query }, (personaId: number, sessionId: string, first: number, last: number) =>
    read
      .selectFrom('messages')
      .select(['id', 'role', 'text', 'score', 'source_app', 'user_name', 'metadata', 'time'])
      .where('persona_id', '=', personaId)
      .where('session_id', '=', sessionId)
      .where('position', '>=', first)
      .where('position', '<=', last)
      .orderBy('position'),
  )
  const latestTurns = prepared(
    { query },
    (charactersEach: number, personaId: number, sessionId: string, turns: number) =>
      read
        .selectFrom('messages')
        .select(['role', sql<string>`substr(text, 1, ${charactersEach})`.as('text')])
        .where('persona_id', '=', personaId)
        .where('session_id', '=', sessionId)
        .orderBy('position', 'desc')
        .limit(turns),
  )
  const holderOf = prepared({ query }, (personaId: number, sessionId: string) =>
    read.selectFrom('sessions').select('holder').where('persona_id', '=', personaId).where('id', '=', sessionId),
  )
  return {
    ...sessions(database),

    async record(exchange) {
      const told = await durably(async (tx) => {
        if (exchange.claim && exchange.reply) await keepAnswer(tx, exchange.claim, exchange.reply.id)
        const { personaId, wanted } = await insertExchange(tx, exchange)
        return writeEvents(tx, personaId, wanted, eventsOfExchange(exchange))
      })
      if (told) announceEvents()
    },

    async history(personaId, sessionId) {
      const sizes = (await lastSizes(personaId, sessionId)).reverse()
      if (sizes.length === 0) return undefined
      return inTurn(sizes, async (positions) => {
        const rows = await messagesBetween(personaId, sessionId, positions[0]!, positions.at(-1)!)
        return rows.map((row) => ({ personaId, sessionId, ...messageFromRow(row) }))
      })
    },

    async latest(personaId, sessionId, { turns, charactersEach }) {
      return (await latestTurns(charactersEach, personaId, sessionId, turns)).reverse()
    },

    async holder(personaId, sessionId) {
      return (await holderOf(personaId, sessionId))[0]?.holder
    },

    async tail(personaId, sessionId, limit) {
      const rows = await read
        .selectFrom('messages')
        .select(['id', 'role', 'text'])
        .where('persona_id', '=', personaId)
        .where('session_id', '=', sessionId)
        .orderBy('position', 'desc')
        .limit(limit)
        .execute()
      return rows.reverse()
    },

    async search(personaId, text, { limit, before }) {
      const holding = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (one) => `\\${one}`)}%`
      let query = stored
        .selectFrom('messages')
        .select(['session_id', 'position'])
        .where('persona_id', '=', personaId)
        .where(sql<boolean>`${loweredLike(text)} like ${holding} escape '\\'`)
      if (before !== undefined) query = query.where('id', '<', before)
      const found = await query.orderBy('id', 'desc').limit(limit).execute()
      if (found.length === 0) return []
      const rows = await read
        .selectFrom('messages')
        .selectAll()
        .where('persona_id', '=', personaId)
        .where((is) => is.or(found.map((one) => is.and(one))))
        .orderBy('id', 'desc')
        .execute()
      return rows.map((row) => ({ personaId, sessionId: row.session_id, ...messageFromRow(row) }))
    },
  }
}

// The column in lower case as far as `text` needs it: some engines, and some locales, know the letters of ASCII alone.
const loweredLike = (text: string): RawBuilder<string> =>
  [...new Set(text.toLowerCase())]
    .filter((letter) => letter > '\x7f' && letter.toUpperCase() !== letter)
    .reduce((lowered, letter) => sql`replace(${lowered}, ${letter.toUpperCase()}, ${letter})`, sql<string>`lower(text)`)

export function drafts({ read, durably, announceEvents }: Database): Drafts {
  const ofPersona = (personaId: number) => read.selectFrom('drafts').selectAll().where('persona_id', '=', personaId)
  return {
    count: () => count(read.selectFrom('drafts')),

    async list(personaId, { limit, before }) {
      let query = ofPersona(personaId)
      if (before !== undefined) query = query.where('id', '<', before)
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(draftFromRow)
    },

    async get(personaId, id) {
      const row = await ofPersona(personaId).where('id', '=', id).executeTakeFirst()
      return row && draftFromRow(row)
    },

    async settle(personaId, id, outcome) {
      const { settled, told } = await durably(async (tx) => {
        const gone = await tx
          .deleteFrom('drafts')
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .returningAll()
          .returning(wantedEvents(personaId).as('wanted'))
          .executeTakeFirst()
        if (!gone) return { settled: false, told: false }
        await insertExchange(tx, outcome)
        if (outcome.label) await setLabel(tx, personaId, id, outcome.label)
        const event = draftSettled(draftFromRow(gone), outcome.messages[0], outcome.document?.id ?? null)
        return { settled: true, told: await writeEvents(tx, personaId, gone.wanted, [event]) }
      })
      if (told) announceEvents()
      return settled
    },
  }
}

// Tells what the triggers of the persona want.
async function insertExchange(tx: Writing, { messages, holder, draft, document, reply }: Exchange) {
  const bySession = Map.groupBy(messages, (message) => message.sessionId)
  let wanted: string | null = null
  for (const ofSession of bySession.values()) wanted = await append(tx, ofSession, holder ?? null)
  if (draft) await tx.insertInto('drafts').values(draftToRow(draft)).execute()
  if (draft) await writeNotices(tx, draft.personaId, draft.id)
  if (document) await insertDocument(tx, document)
  if (reply) await insertReply(tx, reply)
  return { personaId: messages[0]?.personaId ?? 0, wanted }
}

// All of one session, in their order.
async function append(tx: Writing, messages: Message[], holder: string | null): Promise<string | null> {
  const [first, last] = [messages[0]!, messages.at(-1)!]
  const [started_at, last_at] = [first.time.getTime(), last.time.getTime()]
  const name = { persona_id: first.personaId, id: first.sessionId }
  const session = await tx
    .insertInto('sessions')
    .values({
      ...name,
      messages: messages.length,
      started_at,
      last_at,
      title: '',
      source_app: first.sourceApp,
      holder,
    })
    .onConflict((on) =>
      on
        .columns(['persona_id', 'id'])
        .doUpdateSet((now) => ({ messages: now('sessions.messages', '+', messages.length), last_at })),
    )
    .returning(['messages', wantedEvents(first.personaId).as('wanted')])
    .executeTakeFirstOrThrow()
  const before = session.messages - messages.length
  await tx
    .insertInto('messages')
    .values(messages.map((message, at) => messageToRow(message, before + at + 1)))
    .execute()
  return session.wanted
}

const messageToRow = (message: Message, position: number): MessageRow => ({
  persona_id: message.personaId,
  session_id: message.sessionId,
  position,
  id: message.id,
  role: message.role,
  text: message.text,
  score: message.score,
  source_app: message.sourceApp,
  user_name: message.userName,
  metadata: JSON.stringify(message.metadata),
  time: message.time.getTime(),
})

type MessageFields = Omit<MessageRow, 'persona_id' | 'session_id' | 'position'>

const messageFromRow = (row: MessageFields): Omit<Message, 'personaId' | 'sessionId'> => ({
  id: row.id,
  role: row.role,
  text: row.text,
  score: row.score,
  sourceApp: row.source_app,
  userName: row.user_name,
  metadata: row.metadata === '{}' ? {} : JSON.parse(row.metadata),
  time: new Date(row.time),
})

const draftToRow = (draft: Draft): DraftRow => ({
  persona_id: draft.personaId,
  id: draft.id,
  session_id: draft.sessionId,
  question: draft.question,
  text: draft.text,
  score: draft.score,
  reason: draft.reason,
  sources: JSON.stringify(draft.sources),
  source_app: draft.sourceApp,
  created_at: draft.createdAt.getTime(),
})

const draftFromRow = (row: DraftRow): Draft => ({
  personaId: row.persona_id,
  id: row.id,
  sessionId: row.session_id,
  question: row.question,
  text: row.text,
  score: row.score,
  reason: row.reason,
  sources: JSON.parse(row.sources),
  sourceApp: row.source_app,
  createdAt: new Date(row.created_at),
})
