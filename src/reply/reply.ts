// From a message to a reply: understand it in its session, recall, answer, say how sure that is. Every door comes through here.
import type { Source } from '../domain/conversation.ts'
import { limits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import type { Explanation } from '../domain/reply.ts'
import { completed, type Turn } from '../recall/question.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { type Answer, answerFrom, unknown } from './answer.ts'
import { compared, comparisonIn, halfOf, whenAsked } from './compare.ts'
import { type Confidence, certain, confidence } from './confidence.ts'
import { type Evidence, evidenceIn, inMemory } from './evidence.ts'
import { featuresOf } from './features.ts'
import { kindOf } from './question-kind.ts'
import { smallTalk } from './small-talk.ts'

export type Reply = {
  text: string
  isKnown: boolean // false where memory has no answer and the reply says so
  score: number
  logit: number // the score before what the owner's own labels teach
  sources: Source[]
  answeredBy: string // 'memory', or the name of a chat model
  explanation: Explanation
}

export type Asked = {
  text: string
  documentIds?: string[] | undefined // answer only from these
  before?: Turn[] // the session so far, oldest first
  userName?: string | undefined
}

const SMALL_TALK = 4 // log-odds: there is nothing in it to be wrong about
const ABOUT_SELF = 3
const UNKNOWN_BELOW = 30 // percent: an answer more likely wrong than that is not told as one

export async function reply(needs: RecallNeeds, persona: Persona, asked: Asked): Promise<Reply> {
  const began = performance.now()
  const talk = smallTalk(asked.text, persona, asked.userName)
  if (talk) return kept({ text: talk.text, used: [] }, certain(talk.isAboutSelf ? ABOUT_SELF : SMALL_TALK), {})
  const comparison = await comparing(needs, persona, asked)
  if (comparison) return comparison
  const { text, documentIds, before = [] } = asked
  const question = completed(text, before)
  const recollections = await recall(needs, persona, text, { documentIds, before })
  const recalled = performance.now()
  const kind = kindOf(text)
  const evidence = evidenceIn(question, recollections)
  const sure = confidence(featuresOf(question, kind, recollections, evidence), persona.calibration)
  const found = sure.score < UNKNOWN_BELOW ? undefined : answerFrom(question, kind, evidence, persona)
  return kept(found ?? unknown(evidence, persona), sure, {
    isKnown: found !== undefined,
    understoodAs: question === text ? null : question,
    recollections,
    timings: { recall: recalled - began, answer: performance.now() - recalled },
  })
}

// Two facts and their times; null where the message compares nothing, or memory does not date both.
async function comparing(needs: RecallNeeds, persona: Persona, { text, documentIds }: Asked): Promise<Reply | null> {
  const comparison = comparisonIn(text)
  if (!comparison) return null
  const began = performance.now()
  const [first, second] = await Promise.all(
    [comparison.first, comparison.second].map(async (fact) =>
      halfOf(fact, await recall(needs, persona, whenAsked(fact), { documentIds })),
    ),
  )
  if (!first || !second) return null
  // As sure as of the less sure of the two.
  const [sure] = [first, second]
    .map(({ fact, evidence, recollections }) =>
      confidence(featuresOf(whenAsked(fact), 'when', recollections, [evidence]), persona.calibration),
    )
    .sort((one, two) => one.logit - two.logit)
  const answer = { text: compared(comparison, first, second), used: [first.evidence, second.evidence] }
  const recollections = [...first.recollections, ...second.recollections]
  return kept(answer, sure!, { recollections, timings: { recall: performance.now() - began } })
}

type About = {
  isKnown?: boolean
  understoodAs?: string | null
  recollections?: Recollection[]
  timings?: Record<string, number>
}

export function kept({ text, used }: Answer, { score, logit, parts }: Confidence, about: About): Reply {
  return {
    text,
    isKnown: about.isKnown ?? true,
    score,
    logit,
    sources: sourcesOf(used.map(({ recollection }) => recollection)),
    answeredBy: 'memory',
    explanation: {
      understoodAs: about.understoodAs ?? null,
      used: used.map((one) => ({ memoryId: one.recollection.memory.id, sentences: inMemory(one, one.sentence) })),
      parts: parts.map((part) => ({ ...part, value: rounded(part.value), contribution: rounded(part.contribution) })),
      nearMisses: nearMisses(about.recollections ?? [], used),
      prompt: null,
      model: null,
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
