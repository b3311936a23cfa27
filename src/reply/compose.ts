// A reply as it is kept and explained: its text, how sure it is, and on what it rests.
import type { Source } from '../domain/conversation.ts'
import { limits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Explanation } from '../domain/reply.ts'
import { type Evidence, inMemory } from './evidence/evidence.ts'
import type { Answer } from './memory/answer.ts'
import type { Confidence } from './score/confidence.ts'

export type Reply = {
  text: string
  isKnown: boolean // false where memory has no answer and the reply says so
  score: number
  logit: number // the score before what the owner's own labels teach
  sources: Source[]
  answeredBy: string // 'memory', or the name of a chat model
  explanation: Explanation
}

export type About = {
  isKnown?: boolean
  understoodAs?: string | null
  recollections?: Recollection[]
  timings?: Record<string, number>
  model?: string // where one wrote it
  prompt?: string
}

export function kept({ text, used }: Answer, { score, logit, parts }: Confidence, about: About): Reply {
  return {
    text,
    isKnown: about.isKnown ?? true,
    score,
    logit,
    sources: sourcesOf(used.map(({ recollection }) => recollection)),
    answeredBy: about.model ?? 'memory',
    explanation: {
      understoodAs: about.understoodAs ?? null,
      used: used.map((one) => ({
        memoryId: one.recollection.memory.id,
        documentId: one.recollection.memory.documentId,
        sentences: inMemory(one, one.sentence),
      })),
      parts: parts.map((part) => ({ ...part, value: rounded(part.value), contribution: rounded(part.contribution) })),
      nearMisses: nearMisses(about.recollections ?? [], used),
      prompt: about.prompt ?? null,
      model: about.model ?? null,
      timings: Object.fromEntries(Object.entries(about.timings ?? {}).map(([step, ms]) => [step, rounded(ms)])),
    },
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

function nearMisses(recollections: Recollection[], used: Evidence[]) {
  const seen = new Set(used.map(({ recollection }) => recollection.memory.id))
  const missed = recollections.filter(({ memory }) => !seen.has(memory.id) && seen.add(memory.id))
  return missed.slice(0, limits.nearMisses).map(({ memory, score }) => ({ memoryId: memory.id, score: rounded(score) }))
}

export const sourcesOf = (recollections: Recollection[]): Source[] =>
  [...new Map(recollections.map((one) => [one.memory.id, one])).values()].map(({ memory, title }) => ({
    memory_id: memory.id,
    document_id: memory.documentId,
    title,
    text: memory.text,
    start_time_utc: memory.time.toISOString(),
  }))
