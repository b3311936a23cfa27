// What the score looks at: plain numbers about a question, the memories recalled for it and the answer taken from them.
// Whether the answer is of the kind asked for, and names and numbers that a passage lacks, were tried, too: they gained
// nothing on articles left out of the fit.
import type { Recollection } from '../../domain/memory.ts'
import { asksBeyond, shareInText, type Understood } from '../../language/language.ts'
import { isDated } from '../evidence/dated.ts'
import { answerability, answerOf, type Evidence, logOdds, sentenceOf, wordWeights } from '../evidence/evidence.ts'
import { isOfFaq } from '../evidence/faq.ts'

export type Features = Record<string, number>

const AT_MOST = 8 // a surer reading is not more true
// As many as the personas have that the score was fitted on; with fewer or more it is no surer and no less sure.
const MEMORIES = { least: 15, usual: 150, most: 1500 }
const RIVALS = 8 // behind the best
const NO_RIVAL = logOdds(0.01)

export function featuresOf(
  question: string,
  recollections: Recollection[],
  evidence: Evidence[],
  memories: number | null = null, // that there are to recall
): { isRead: boolean; features: Features } {
  const [best, ...others] = evidence
  if (!best) return { isRead: false, features: {} }
  // Among many memories more look right by chance.
  const many = memories === null ? null : manyOf(memories)
  const { source, passage } = best
  const weights = wordWeights(question, recollections)
  const isNote = isDated(source)
  const shared = {
    meaning: source.parts.meaning ?? 0,
    words: shareInText(weights, `${source.title} ${passage.text}`),
    sentence: shareInText(weights, sentenceOf(best)),
    dated: Number(isNote),
    faq: Number(isOfFaq(best)),
    ...(many !== null && { memories: many }),
    // A page may well say how to do something; a note or a turn of a chat says what was.
    beyond: Number(isNote && asksBeyond(question)),
  }
  const { reading } = source
  if (!reading) return { isRead: false, features: shared }
  const allies = others.filter((other) => agree(best, other))
  const answerable = clamp(logOdds(reading.answerable))
  return {
    isRead: true,
    features: {
      ...shared,
      answerable,
      ...(many !== null && { answerableInMany: answerable * many }),
      rivals: rivalry(others),
      relevant: clamp(logOdds(reading.relevant)),
      lead: clamp(best.strength - (others[0]?.strength ?? -AT_MOST)), // before the next one
      span: clamp(reading.span / 2),
      support: Math.max(0, strongest(allies)), // another memory that answers the same
    },
  }
}

// What kind of message it is: a list or a summary is seldom all that one wanted to hear.
export const kindFeatures = ({ kind, isFollowUp }: Pick<Understood, 'kind' | 'isFollowUp'>): Features => ({
  list: Number(kind === 'list'),
  summary: Number(kind === 'about-self' || kind === 'about-topic'),
  yesno: Number(kind === 'yesno'),
  figure: Number(kind === 'when' || kind === 'count' || kind === 'duration' || kind === 'amount'),
  reason: Number(kind === 'reason' || kind === 'howto' || kind === 'advice'),
  followUp: Number(isFollowUp),
  titled: 0, // asked about a document by its title
  exact: 0, // looked up or worked out from the rows of a table, which a reader does not compare
})

const manyOf = (memories: number): number =>
  Math.log(1 + Math.min(Math.max(memories, MEMORIES.least), MEMORIES.most)) - Math.log(MEMORIES.usual)

const clamp = (value: number): number => Math.min(AT_MOST, Math.max(-AT_MOST, value))

// How much the next ones read like answers, in the mean.
function rivalry(others: Evidence[]): number {
  const rivals = others.slice(0, RIVALS).map((other) => clamp(logOdds(answerability(other))))
  return rivals.length === 0 ? NO_RIVAL : rivals.reduce((sum, one) => sum + one, 0) / rivals.length
}

const strongest = (evidence: Evidence[]): number =>
  evidence.reduce((most, one) => Math.max(most, logOdds(answerability(one))), -AT_MOST)

// Two memories agree where the answer of one stands in the other.
function agree(first: Evidence, second: Evidence): boolean {
  const [one, two] = [plain(answerOf(first)), plain(answerOf(second))]
  return one !== '' && two !== '' && (one.includes(two) || two.includes(one))
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
