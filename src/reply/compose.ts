// Composes a reply as it is recorded and explained: its text, how sure it is, and on what it rests.
import type { Source } from '../domain/conversation.ts'
import type { KnownMemory, Recollection } from '../domain/memory.ts'
import type { Explanation } from '../domain/reply.ts'
import { type Quote, rangeInMemory, sentenceOf } from './evidence/evidence.ts'
import { limits } from './limits.ts'
import type { Confidence } from './score/confidence.ts'

export type Answer = { text: string; used: Quote[] }

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
  marks?: NonNullable<Explanation['marks']> // where it cites what
  prompt?: string
  leftOut?: string[] // memories that contradict what the model wrote
}

export function composeReply({ text, used }: Answer, { score, logit, parts }: Confidence, about: About = {}): Reply {
  return {
    text,
    isKnown: about.isKnown ?? true,
    score,
    logit,
    sources: sourcesOf(used.map(({ source }) => source)),
    answeredBy: about.model ?? 'memory',
    explanation: {
      understoodAs: about.understoodAs ?? null,
      used: used.map(({ source: { memory }, passage, sentence }) => ({
        memoryId: memory.id,
        documentId: memory.documentId,
        sentences: rangeInMemory(passage, sentence),
      })),
      marks: about.marks ?? marksIn(text, used),
      parts: parts.map((part) => ({ ...part, value: round(part.value), contribution: round(part.contribution) })),
      nearMisses: nearMisses(about.recollections ?? [], used),
      prompt: about.prompt ?? null,
      model: about.model ?? null,
      withoutModel: null,
      leftOut: [...new Set(about.leftOut ?? [])],
      timings: Object.fromEntries(Object.entries(about.timings ?? {}).map(([step, ms]) => [step, round(ms)])),
    },
  }
}

// Memory replied because the chat model could not: the reply's reasons say why.
export const replyWithoutModel = (reply: Reply, why: string | null | undefined): Reply =>
  why ? { ...reply, explanation: { ...reply.explanation, withoutModel: why } } : reply

// Behind the sentence that was quoted, or at the end where the reply says it in other words.
function marksIn(text: string, used: Quote[]): NonNullable<Explanation['marks']> {
  return used.map((one) => {
    const sentence = sentenceOf(one).trim()
    const at = sentence === '' ? -1 : text.indexOf(sentence)
    return { at: at < 0 ? text.length : at + sentence.length, memoryId: one.source.memory.id }
  })
}

const round = (value: number): number => Math.round(value * 1000) / 1000

function nearMisses(recollections: Recollection[], used: Quote[]) {
  const seen = new Set(used.map(({ source }) => source.memory.id))
  const missed = recollections.filter(({ memory }) => !seen.has(memory.id) && seen.add(memory.id))
  return missed.slice(0, limits.nearMisses).map(({ memory, score }) => ({ memoryId: memory.id, score: round(score) }))
}

const sourcesOf = (sources: KnownMemory[]): Source[] =>
  [...new Map(sources.map((one) => [one.memory.id, one])).values()].map(asSource)

export const asSource = ({ memory, title }: KnownMemory): Source => ({
  memory_id: memory.id,
  document_id: memory.documentId,
  title,
  text: memory.text,
  start_time_utc: memory.time.toISOString(),
})
