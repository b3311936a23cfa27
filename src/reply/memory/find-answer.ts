// Finds what memory has to say to a message, and what speaks for it: a portrait, a subject, or the best answers.
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Understood } from '../../language/language.ts'
import type { Answer } from '../compose.ts'
import { type Evidence, evidenceIn, inTime } from '../evidence/evidence.ts'
import { findOtherSide } from '../evidence/other-side.ts'
import { bestFor, type Occasion } from '../responder.ts'
import type { Scored } from '../score/confidence.ts'
import { featuresOf, kindFeatures } from '../score/features.ts'
import { answerFrom } from './answer.ts'
import { describeSelf } from './portrait.ts'
import { moveToExtreme, moveToNamed } from './rows.ts'
import { describeTopic } from './topic.ts'

export type FoundAnswer = {
  answer: Answer | null
  evidence: Evidence[]
  scored: Scored
  isNamed?: boolean // from a document that is asked for by its name
  recollections: Recollection[]
  recalledMs: number
}

// "Tell me about yourself", or about the persona by its name.
export const isAboutSelf = ({ kind, text }: Understood, { name }: Persona): boolean =>
  kind === 'about-self' || (kind === 'about-topic' && text.includes(name))

export async function findAnswer(occasion: Occasion): Promise<FoundAnswer> {
  const { kind } = occasion.request.message
  const told = kind === 'about-self' || kind === 'about-topic' ? await describe(occasion) : null
  return told ?? findBest(occasion)
}

// From several memories; null where they hold too little.
async function describe({ needs, persona, request: { message }, recalled }: Occasion): Promise<FoundAnswer | null> {
  const { recollections, memories, tookMs } = await recalled()
  const isSelf = isAboutSelf(message, persona)
  const { question, time } = message.query
  const about = { question: message.overview?.subject ?? question, time }
  const topic = isSelf ? null : await describeTopic(needs, persona, about, recollections)
  const answer = isSelf ? await describeSelf(needs, persona, recollections) : topic
  if (!answer) return null
  const evidence = evidenceIn(message, recollections)
  const { isRead, features } = featuresOf(message.question, recollections, evidence, memories)
  const titled = Number(topic?.isTitled ?? false)
  const scored = { isRead, features: { ...features, ...kindFeatures(message), titled } }
  return { answer, evidence, scored, isNamed: topic?.isNamed ?? false, recollections, recalledMs: tookMs }
}

async function findBest({ needs, persona, request: { message }, recalled }: Occasion): Promise<FoundAnswer> {
  const { question } = message
  const found = await recalled()
  const recollections = await bestFor(needs, question, found)
  const read = inTime(message, evidenceIn(message, recollections))
  const both = message.kind === 'yesno' ? await findOtherSide(needs, question, recollections, read) : read
  const row = both[0] && message.kind !== 'list' ? findRow(message, both[0]) : null
  const evidence = row ? [row.moved, ...both.slice(1)] : both
  const { isRead, features } = featuresOf(question, recollections, evidence, found.memories)
  return {
    answer: answerFrom(asAsked(message), evidence, persona) ?? null,
    evidence,
    scored: { isRead, features: { ...features, ...kindFeatures(message), exact: Number(row?.isExact ?? false) } },
    recollections,
    recalledMs: found.tookMs,
  }
}

// What a follow-up is completed with names rows, too: those that were spoken of before.
function findRow({ question, text, kind }: Understood, best: Evidence): { moved: Evidence; isExact: boolean } | null {
  const extreme = moveToExtreme(question, best)
  return extreme ? { moved: extreme, isExact: true } : moveToNamed(text, best, kind)
}

const asAsked = ({ question, kind, age }: Understood) => ({ question, kind, age })
