// What the score looks at: plain numbers about a question, the memories recalled for it and the answer taken from them.
import type { Recollection } from '../domain/memory.ts'
import { covered, type Evidence, logOdds, rarity, stems } from './evidence.ts'
import { fits, type Kind } from './question-kind.ts'
import { isAsked } from './sentences.ts'

export type Features = Record<string, number>

const AT_MOST = 8 // a surer reading is not more true

export function featuresOf(
  question: string,
  kind: Kind,
  recollections: Recollection[],
  evidence: Evidence[],
): { isRead: boolean; features: Features } {
  const [best, ...others] = evidence
  if (!best) return { isRead: false, features: {} }
  const { recollection, passage, sentence, answer } = best
  const weights = rarity(new Set(stems(question)), recollections)
  const text = passage.slice(sentence.start, sentence.end)
  const whole = `${recollection.title} ${passage}`
  const shared = {
    meaning: recollection.parts.meaning ?? 0,
    words: covered(weights, whole),
    sentence: covered(weights, text),
    names: namesHeld(question, whole),
    lead: recollection.score - (recollections.find((one) => one !== recollection)?.score ?? 0),
  }
  const { reading } = recollection
  if (!reading)
    return { isRead: false, features: { ...shared, isQuestion: Number(isAsked(passage, sentence, answer)) } }
  const said = passage.slice(answer.start, answer.end)
  const rivals = others.filter((other) => !agrees(said, other))
  const allies = others.filter((other) => agrees(said, other))
  return {
    isRead: true,
    features: {
      ...shared,
      answerable: held(logOdds(reading.answerable)),
      relevant: held(logOdds(reading.relevant)),
      span: held(reading.span / 2),
      // How far the answer stands out from another one, and what else says the same.
      margin: held(logOdds(reading.answerable) - strongest(rivals)),
      support: Math.max(0, strongest(allies)),
      fits: { true: 1, false: -1, null: 0 }[String(fits(kind, said)) as 'true' | 'false' | 'null'],
      length: Math.log(1 + said.split(/\s+/).length),
      isQuestion: Number(isAsked(passage, sentence, answer)),
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

// The share of the question's names and numbers that the passage holds: a near miss speaks of another one.
const NAME = /(?<![.!?]\s)(?<!^)\b\p{Lu}[\p{L}\p{N}'’-]+|\b\d[\d.,:]*\b/gu

function namesHeld(question: string, passage: string): number {
  const names = [
    ...new Set([...question.matchAll(NAME)].map(([name]) => name.replace(/['’]s$|[.,:]$/, '').toLowerCase())),
  ]
  if (names.length === 0) return 1
  const text = passage.toLowerCase()
  return names.filter((name) => text.includes(name)).length / names.length
}
