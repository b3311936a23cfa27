// Replies with their reasons, and the verdicts on them: the owner's, and those of visitors.
import { firstIdAt } from '../../domain/id.ts'
import type { KeptReply, Label, ListedReply } from '../../domain/reply.ts'
import type { Replies } from '../../ports/store.ts'
import type { Database, Writing } from './database.ts'
import type { ReplyRow } from './schema.ts'

export function replies({ read, durably }: Database): Replies {
  const listed = (personaId: number) => read.selectFrom('replies').select(columns).where('persona_id', '=', personaId)
  return {
    async list(personaId, { limit, before, visitorLabel }) {
      let query = listed(personaId)
      if (visitorLabel !== undefined) query = query.where('visitor_label', '=', visitorLabel)
      if (before !== undefined) query = query.where('id', '<', before)
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(listedFromRow)
    },

    async ofSession(personaId, sessionId, limit) {
      const rows = await listed(personaId)
        .select('explanation')
        .where('session_id', '=', sessionId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(fromRow)
    },

    async get(personaId, id) {
      const row = await listed(personaId).select('explanation').where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    async some(personaId, ids) {
      if (ids.length === 0) return []
      return (await listed(personaId).select('explanation').where('id', 'in', ids).execute()).map(fromRow)
    },

    async figures(personaId, since, limit) {
      const rows = await read
        .selectFrom('replies')
        .select(['score', 'took_ms', 'decision', 'label', 'created_at', ...spending])
        .where('persona_id', '=', personaId)
        .where('id', '>=', firstIdAt(since))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        score: row.score,
        tookMs: row.took_ms,
        decision: row.decision,
        label: row.label,
        spent: spentFromRow(row),
        createdAt: new Date(row.created_at),
      }))
    },

    async unknown(personaId, since, below, limit) {
      const rows = await listed(personaId)
        .where('id', '>=', firstIdAt(since))
        .where((is) => is.or([is('label', '=', 'wrong'), is.and([is('label', 'is', null), is('score', '<', below)])]))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(listedFromRow)
    },

    async labelled(personaId, limit) {
      const rows = await listed(personaId).where('label', 'is not', null).orderBy('id', 'desc').limit(limit).execute()
      return rows.map(listedFromRow)
    },

    label: (personaId, id, label) => durably((tx) => setLabel(tx, personaId, id, label)),

    labelByVisitor: (personaId, sessionId, id, label) =>
      durably(async (tx) => {
        const changed = await tx
          .updateTable('replies')
          .set({ visitor_label: label })
          .where('persona_id', '=', personaId)
          .where('id', '=', id)
          .where('session_id', '=', sessionId)
          .where('decision', '=', 'sent')
          .executeTakeFirst()
        return changed.numUpdatedRows > 0n
      }),
  }
}

export async function setLabel(tx: Writing, personaId: number, id: string, label: Label | null): Promise<boolean> {
  const changed = await tx
    .updateTable('replies')
    .set({ label })
    .where('persona_id', '=', personaId)
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

// A reply repeats what it rests on: what is forgotten is not told here any more. The document's id stands only with
// what was used.
export async function leaveReplies(tx: Writing, personaId: number, documentId: string): Promise<void> {
  await tx
    .updateTable('replies')
    .set({ text: '' })
    .where('persona_id', '=', personaId)
    .where('explanation', 'like', `%"documentId":"${documentId}"%`)
    .execute()
}

export const insertReply = (tx: Writing, reply: KeptReply) => tx.insertInto('replies').values(toRow(reply)).execute()

const toRow = (reply: KeptReply): ReplyRow => ({
  persona_id: reply.personaId,
  id: reply.id,
  session_id: reply.sessionId,
  question: reply.question,
  text: reply.text,
  score: reply.score,
  logit: reply.logit,
  decision: reply.decision,
  answered_by: reply.answeredBy,
  took_ms: reply.tookMs,
  label: reply.label,
  visitor_label: reply.visitorLabel,
  prompt_tokens: reply.spent?.promptTokens ?? null,
  answer_tokens: reply.spent?.answerTokens ?? null,
  cost: reply.spent?.cost ?? null,
  currency: reply.spent?.currency ?? null,
  explanation: JSON.stringify(reply.explanation),
  created_at: reply.createdAt.getTime(),
})

const spending = ['prompt_tokens', 'answer_tokens', 'cost', 'currency'] as const

const columns = [
  'persona_id',
  'id',
  'session_id',
  'question',
  'text',
  'score',
  'logit',
  'decision',
  'answered_by',
  'took_ms',
  'label',
  'visitor_label',
  'created_at',
  ...spending,
] as const satisfies (keyof ReplyRow)[]

const fromRow = (row: ReplyRow): KeptReply => ({ ...listedFromRow(row), explanation: JSON.parse(row.explanation) })

const listedFromRow = (row: Omit<ReplyRow, 'explanation'>): ListedReply => ({
  personaId: row.persona_id,
  id: row.id,
  sessionId: row.session_id,
  question: row.question,
  text: row.text,
  score: row.score,
  logit: row.logit,
  decision: row.decision,
  answeredBy: row.answered_by,
  tookMs: row.took_ms,
  label: row.label,
  visitorLabel: row.visitor_label,
  spent: spentFromRow(row),
  createdAt: new Date(row.created_at),
})

const spentFromRow = ({ prompt_tokens, answer_tokens, cost, currency }: Pick<ReplyRow, (typeof spending)[number]>) =>
  prompt_tokens === null || answer_tokens === null
    ? null
    : { promptTokens: prompt_tokens, answerTokens: answer_tokens, cost, currency }
