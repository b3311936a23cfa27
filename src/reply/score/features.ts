// What the score looks at: plain numbers about a question, the memories recalled for it and the answer taken from them.
// How far the answer stands out from another one, whether it is of the kind asked for, names and numbers that a passage lacks, and
// the reader's relevance were tried, too: they gained nothing on articles left out of the fit.
import type { Recollection } from '../../domain/memory.ts'
import { asksBeyond } from '../../language/question-kinds.ts'
import { isDated } from '../evidence/dated.ts'
import { covered, type Evidence, logOdds, rarity, stems } from '../evidence/evidence.ts'

export type Features = Record<string, number>

const AT_MOST = 8 // a surer reading is not more true

export function featuresOf(
  question: string,
  recollections: Recollection[],
  evidence: Evidence[],
): { isRead: boolean; features: Features } {
  const [best, ...others] = evidence
  if (!best) return { isRead: false, features: {} }
  const { recollection, passage, sentence, answer } = best
  const weights = rarity(new Set(stems(question)), recollections)
  const isNote = isDated(recollection)
  const shared = {
    meaning: recollection.parts.meaning ?? 0,
    words: covered(weights, `${recollection.title} ${passage}`),
    sentence: covered(weights, passage.slice(sentence.start, sentence.end)),
    dated: Number(isNote),
    // A page may well tell how to do something; a note or a turn of a chat tells what was.
    beyond: Number(isNote && asksBeyond(question)),
  }
  const { reading } = recollection
  if (!reading) return { isRead: false, features: shared }
  const said = passage.slice(answer.start, answer.end)
  const allies = others.filter((other) => agrees(said, other))
  return {
    isRead: true,
    features: {
      ...shared,
      answerable: held(logOdds(reading.answerable)),
      span: held(reading.span / 2),
      closer: held(logOdds(best.closer ?? reading.answerable)),
      support: Math.max(0, strongest(allies)), // another memory that answers the same
    },
  }
}

const held = (value: number): number => Math.min(AT_MOST, Math.max(-AT_MOST, value))

const strongest = (evidence: Evidence[]): number =>
  evidence.reduce((most, { recollection: { reading } }) => Math.max(most, logOdds(reading?.answerable ?? 0)), -AT_MOST)

// Two memories agree where the answer of one stands in the other.
function agrees(said: string, { passage, answer }: Evidence): boolean {
  const [one, two] = [plain(said), plain(passage.slice(answer.start, answer.end))]
  return one !== '' && two !== '' && (one.includes(two) || two.includes(one))
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
