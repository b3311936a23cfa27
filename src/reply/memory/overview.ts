// What memory says of a subject in the course of time: for messages that ask for a summary, or in what order things
// came.
import type { Persona } from '../../domain/persona.ts'
import { formatDay, isOwn, shareHeld, stems } from '../../language/language.ts'
import { type Answer, composeReply, type Reply } from '../compose.ts'
import { isDated } from '../evidence/dated.ts'
import { type Evidence, quotesIn, sentenceOf } from '../evidence/evidence.ts'
import { limits } from '../limits.ts'
import type { Occasion } from '../responder.ts'
import { overviewConfidence } from '../score/fixed.ts'
import { say } from './answer.ts'
import { isTitled } from './topic.ts'

const LOOKS_LIKE_CODE = /[{}<>=;]|```/
const OWN_WORDS = 0.3 // of strength: a third of the subject's words
const SAYS_IT_AGAIN = 0.6 // share of a sentence's words that another one has said

// Null where the message asks for something else, or memory holds too little for more than one sentence.
export async function summarizeMemory({ persona, request: { message }, recalled }: Occasion): Promise<Reply | null> {
  const { overview, kind } = message
  if (!overview) return null
  const { recollections, tookMs } = await recalled()
  const { subject } = overview
  // A document that is about it is told as a subject is.
  if (kind === 'about-topic' && recollections.some((one) => isTitled(subject, one))) return null
  const quotes = quotesIn(subject, recollections).filter((one) => !LOOKS_LIKE_CODE.test(sentenceOf(one)))
  // Asked about oneself, what one said comes before what was said about such things.
  const weighed = quotes.map((one) => ({
    ...one,
    strength: one.strength + (overview.isOwn && isOwn(sentenceOf(one)) ? OWN_WORDS : 0),
  }))
  const count = Math.min(Math.max(overview.count ?? limits.summarySentences, 2), limits.listedSentences)
  const chosen = choose(weighed, count)
  if (chosen.length < 2) return null
  return composeReply(list(chosen, persona), overviewConfidence(persona.calibration), {
    understoodAs: subject,
    recollections,
    timings: { recall: tookMs },
  })
}

// The strongest that each say something else, then as they came.
function choose(evidence: Evidence[], count: number): Evidence[] {
  const taken: { one: Evidence; words: Set<string> }[] = []
  for (const one of evidence.toSorted((a, b) => b.strength - a.strength)) {
    const words = stems(sentenceOf(one))
    if (words.size < 3 || taken.some((other) => shareHeld(words, other.words) >= SAYS_IT_AGAIN)) continue
    taken.push({ one, words })
    if (taken.length === count) break
  }
  return taken.map(({ one }) => one).sort((a, b) => timeOf(a) - timeOf(b) || a.rank - b.rank)
}

const timeOf = ({ source }: Evidence): number =>
  isDated(source) ? source.memory.time.getTime() : Number.POSITIVE_INFINITY

function list(evidence: Evidence[], persona: Persona): Answer {
  const lines = evidence.map((one) => {
    const { source, sentence } = one
    // Of a long sentence: how it begins.
    const text = say({ ...one, answer: { start: sentence.start, end: sentence.start } }, persona)
    const from = isDated(source) ? formatDay(source.memory.time) : source.title
    return text.includes(from) || from === '' ? `- ${text}` : `- ${from}: ${text}`
  })
  return { text: lines.join('\n'), used: evidence }
}
