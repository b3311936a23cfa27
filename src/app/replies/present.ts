// Replies and drafts as their owner sees them, with their reasons.
import type { z } from 'zod'
import type { DraftAnswer } from '../../contract/admin-answers.ts'
import type { ExplanationAnswer, ReplyAnswer } from '../../contract/replies-api.ts'
import type { Spent } from '../../domain/chat-model.ts'
import type { Draft } from '../../domain/conversation.ts'
import { type KnownMemory, pageAt } from '../../domain/memory.ts'
import { type KeptReply, type ListedReply, memoryMark } from '../../domain/reply.ts'

export const presentReply = (reply: ListedReply): z.output<typeof ReplyAnswer> => ({
  id: reply.id,
  session_id: reply.sessionId,
  question: reply.question,
  text: reply.text,
  score: reply.score,
  decision: reply.decision,
  answered_by: reply.answeredBy,
  took_ms: reply.tookMs,
  label: reply.label,
  visitor_label: reply.visitorLabel,
  spent: presentSpent(reply.spent),
  created_at: reply.createdAt.toISOString(),
})

export const presentSpent = (spent: Spent | null) =>
  spent && {
    prompt_tokens: spent.promptTokens,
    answer_tokens: spent.answerTokens,
    cost: spent.cost,
    currency: spent.currency,
  }

// What was forgotten since is not shown; the score and its parts stay.
export function presentExplanation(
  reply: KeptReply,
  memories: Map<string, KnownMemory>,
): z.output<typeof ExplanationAnswer> {
  const { understoodAs, used, marks = [], parts, nearMisses, prompt, model } = reply.explanation
  const { withoutModel, leftOut = [], timings } = reply.explanation
  return {
    ...presentReply(reply),
    understood_as: understoodAs,
    sources: used.flatMap(({ memoryId, sentences }) => {
      const one = memories.get(memoryId)
      return one
        ? [
            {
              ...presentMemory(one),
              page: pageAt(one.memory.place, sentences[0]?.start ?? 0),
              start: one.memory.place.start,
              end: one.memory.place.end,
              sentences,
            },
          ]
        : []
    }),
    marks: marks.flatMap(({ at, memoryId }) => (memories.has(memoryId) ? [{ at, memory_id: memoryId }] : [])),
    parts,
    near_misses: nearMisses.flatMap(({ memoryId, score }) => {
      const one = memories.get(memoryId)
      return one ? [{ ...presentMemory(one), score }] : []
    }),
    left_out: leftOut.flatMap((id) => {
      const one = memories.get(id)
      return one ? [presentMemory(one)] : []
    }),
    prompt: prompt && withMemories(prompt, memories),
    model,
    without_model: withoutModel ?? null, // replies kept by an earlier version have none
    timings,
  }
}

const presentMemory = ({ memory, title }: KnownMemory) => ({
  memory_id: memory.id,
  document_id: memory.documentId,
  title,
  text: memory.text,
  start_time_utc: memory.time.toISOString(),
})

const MARK = new RegExp(memoryMark('([0-9a-f-]+)'), 'g')

const withMemories = (prompt: string, memories: Map<string, KnownMemory>): string =>
  prompt.replaceAll(MARK, (_, id: string) => memories.get(id)?.memory.text ?? '(forgotten since)')

export const presentDraft = (draft: Draft): z.output<typeof DraftAnswer> => ({
  id: draft.id,
  session_id: draft.sessionId,
  question: draft.question,
  text: draft.text,
  score: draft.score,
  reason: draft.reason,
  sources: draft.sources,
  created_at: draft.createdAt.toISOString(),
})

// What a conversation shows beside a reply.
export const presentKept = ({ label, answeredBy, explanation }: KeptReply, memories: Map<string, KnownMemory>) => ({
  label,
  answered_by: answeredBy,
  without_model: explanation.withoutModel ?? null,
  marks: (explanation.marks ?? []).flatMap(({ at, memoryId }) => {
    const one = memories.get(memoryId)
    return one ? [{ at, memory_id: memoryId, document_id: one.memory.documentId, title: one.title }] : []
  }),
})
