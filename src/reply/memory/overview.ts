// What memory tells of a subject in the course of time: for messages that ask for a summary, or in what order things came.
import { limits } from '../../domain/limits.ts'
import type { Persona } from '../../domain/persona.ts'
import { contentWords } from '../../language/words.ts'
import { type RecallNeeds, recall } from '../../recall/recall.ts'
import { kept, type Reply } from '../compose.ts'
import { day, isDated } from '../evidence/dated.ts'
import { type Evidence, quotesIn, stems } from '../evidence/evidence.ts'
import { certain } from '../score/confidence.ts'
import { type Answer, told } from './answer.ts'
import { share } from './known.ts'

// Asked for, not asked about: "the Order of Malta" and "what does the summary say" are neither.
const SUMMARY =
  /\b(?:summari[sz]e|sum up|recap)\b|\b(?:give|provide|write|make|show|tell|get|have|need|want)\b.*\b(?:summary|overview|recap|timeline)\b|^(?:an? )?(?:\w+ )?(?:summary|overview|recap|timeline) of\b/i
const ORDER =
  /\bin (?:what|which) order\b|\bthe order in which\b|\b(?:list|give|tell|name|show)\b.*\b(?:in (?:chronological )?order|the order of|chronologically)\b/i
// What such messages are made of, besides their subject.
const AROUND =
  /\b(?:can|could|would|will|you|please|give|provide|write|make|show|tell|list|walk|me|us|i|we|a|an|the|short|brief|clear|comprehensive|detailed|full|complete|quick|summar(?:y|ies|i[sz]e)|sum up|overview|recap|timeline|chronological(?:ly)?|order|sequence|in which|in order|brought up|mention(?:ed)?|only|items?|of|how|what|which|different|various|aspects?|throughout|across|our|conversations?|so far|over time|including|everything|all|key)\b/gi
const COUNTS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const COUNTED = new RegExp(
  `\\b(\\d{1,2}|${COUNTS.slice(1).join('|')}) (?:items?|points?|things|sentences?|steps|events)\\b`,
  'i',
)

// A choice of sentences says something true of the subject; that it is all one wanted to hear happens one time in eight.
const SELDOM_ALL = -1.9 // log-odds
const LOOKS_LIKE_CODE = /[{}<>=;]|```/
const OWN_WORDS = 0.3 // of strength: a third of the subject's words
const FIRST_PERSON = /\b(?:i|my|we|our)\b/i // not "me": everybody says "give me a summary"
const SAYS_IT_AGAIN = 0.6 // share of a sentence's words that another one has said

export const asksForOverview = (message: string): boolean =>
  message.length <= limits.patternCharacters && (SUMMARY.test(message) || ORDER.test(message))

// Null where the message asks for something else, or memory holds too little for more than one sentence.
export async function overview(
  needs: RecallNeeds,
  persona: Persona,
  { text, documentIds }: { text: string; documentIds?: string[] | undefined },
): Promise<Reply | null> {
  if (!asksForOverview(text)) return null
  const began = performance.now()
  const subject = text.replaceAll(AROUND, ' ').replaceAll(/\s+/g, ' ').trim()
  if (contentWords(subject).length === 0) return null
  const recollections = await recall(needs, persona, subject, { documentIds, size: limits.listRecollections })
  const quotes = quotesIn(subject, recollections).filter((one) => !LOOKS_LIKE_CODE.test(sentenceOf(one)))
  // Asked about oneself, what one said comes before what was said about such things.
  const isOwn = FIRST_PERSON.test(text)
  const weighed = quotes.map((one) => ({
    ...one,
    strength: one.strength + (isOwn && FIRST_PERSON.test(sentenceOf(one)) ? OWN_WORDS : 0),
  }))
  const chosen = choose(weighed, countIn(text))
  if (chosen.length < 2) return null
  return kept(listed(chosen, persona), certain(SELDOM_ALL, persona.calibration), {
    understoodAs: subject,
    recollections,
    timings: { recall: performance.now() - began },
  })
}

function countIn(message: string): number {
  const found = COUNTED.exec(message)?.[1]?.toLowerCase()
  const count = found === undefined ? limits.summarySentences : Number(found) || COUNTS.indexOf(found)
  return Math.min(Math.max(count, 2), limits.listedSentences)
}

// The strongest that each say something else, then as they came.
function choose(evidence: Evidence[], count: number): Evidence[] {
  const taken: { one: Evidence; words: Set<string> }[] = []
  for (const one of evidence.toSorted((a, b) => b.strength - a.strength)) {
    const words = new Set(stems(sentenceOf(one)))
    if (words.size < 3 || taken.some((other) => share(words, other.words) >= SAYS_IT_AGAIN)) continue
    taken.push({ one, words })
    if (taken.length === count) break
  }
  return taken.map(({ one }) => one).sort((a, b) => timeOf(a) - timeOf(b) || a.rank - b.rank)
}

const sentenceOf = ({ passage, sentence }: Evidence): string => passage.slice(sentence.start, sentence.end)

const timeOf = ({ recollection }: Evidence): number =>
  isDated(recollection) ? recollection.memory.time.getTime() : Number.POSITIVE_INFINITY

function listed(evidence: Evidence[], persona: Persona): Answer {
  const lines = evidence.map((one) => {
    const { recollection, sentence } = one
    const text = told({ ...one, answer: { start: sentence.start, end: sentence.start } }, persona) // a long one: how it begins
    const from = isDated(recollection) ? day(recollection.memory.time) : recollection.title
    return text.includes(from) || from === '' ? `- ${text}` : `- ${from}: ${text}`
  })
  return { text: lines.join('\n'), used: evidence }
}
