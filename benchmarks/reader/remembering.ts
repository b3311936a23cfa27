// LoCoMo and BEAM: does reading the candidates bring the evidence forward, and does it see that nothing answers?
import { join } from 'node:path'
import type { Reading } from '../../src/domain/memory.ts'
import type { Embedder, Reader } from '../../src/ports/models.ts'
import { lines } from './left-out.ts'
import { auroc, createBm25, mean, recallAt } from './measures.ts'

type Turn = {
  id: string | number
  speaker?: string
  role?: string
  text: string
  date: string | null
  session?: number
  image_caption?: string
}
type Question = { conv_id: string; question: string; answerable: boolean; evidence: (string | number)[] }
// A turn, or a piece of a long one: what is searched, and what is read.
type Unit = { turn: number; text: string; window: string }
type Ranked = {
  question: Question
  evidence: Set<number>
  orders: Record<string, number[]>
  floor: number
  best: number
}
export type Remembered = { set: string; asked: number; recall: Record<string, number[]>; floor: number; auroc: number }

const READ = 40 // candidates read for a question
const WEIGHT = 1.5 // of relevance beside the search score
const BEST_OF = 5 // answerability is the best of so many
const PIECE_WORDS = 90
const NEIGHBOUR = 0.2

export async function measureRemembering(
  models: { reader: Reader; embedder: Embedder },
  folder: string,
  set: 'locomo' | 'beam100k',
  everyNth: number,
): Promise<Remembered> {
  const ranked: Ranked[] = []
  const long = set === 'beam100k'
  // Embedding a long conversation costs more than reading for its questions: there whole conversations are left out.
  const kept = (_: unknown, at: number) => at % everyNth === 0
  const questions = lines<Question>(join(folder, set, 'questions.jsonl')).filter(long ? () => true : kept)
  const conversations = lines<{ conv_id: string; turns: Turn[] }>(join(folder, set, 'conversations.jsonl'))
  for (const { conv_id, turns } of conversations.filter(long ? kept : () => true)) {
    const asked = questions.filter((question) => question.conv_id === conv_id)
    ranked.push(...(await rank(models, turns, asked, long)))
  }
  const evident = ranked.filter(({ evidence }) => evidence.size > 0)
  const recall: Record<string, number[]> = {}
  for (const order of Object.keys(ranked[0]!.orders))
    recall[order] = [5, 10, 20].map(
      (k) => 100 * mean(evident.map((one) => recallAt(one.orders[order]!, one.evidence, k))),
    )
  const label = ({ question }: Ranked) => question.answerable
  return {
    set: set === 'locomo' ? 'LoCoMo' : 'BEAM',
    asked: ranked.length,
    recall,
    floor: auroc(ranked.map((one) => ({ score: one.floor, label: label(one) }))),
    auroc: auroc(ranked.map((one) => ({ score: one.best, label: label(one) }))),
  }
}

async function rank(
  { reader, embedder }: { reader: Reader; embedder: Embedder },
  turns: Turn[],
  asked: Question[],
  long: boolean,
): Promise<Ranked[]> {
  const units = unitsOf(turns, long)
  const bm25 = createBm25(units.map((unit) => unit.text))
  const vectors = await embedder.embed(
    units.map((unit) => unit.text),
    'memory',
  )
  const ranked: Ranked[] = []
  for (const question of asked) {
    const [vector] = await embedder.embed([question.question], 'question')
    const words = bm25(question.question)
    const fused = fuse(words, vectors, vector!, long ? 0 : NEIGHBOUR)
    const found = bestTurns(fused, units).slice(0, READ)
    const readings = await reader.read(
      question.question,
      found.map((unit) => units[unit]!.window),
    )
    const reordered = (count: number) => {
      const score = (at: number) => fused[found[at]!]! + WEIGHT * readings[at]!.relevant
      const read = found.slice(0, count).map((_, at) => at)
      return [...read.sort((one, two) => score(two) - score(one)), ...found.map((_, at) => at).slice(count)]
    }
    const turnsOf = (order: number[]) => order.map((at) => units[found[at]!]!.turn)
    const ids = new Set(question.evidence)
    ranked.push({
      question,
      evidence: new Set(turns.flatMap((turn, at) => (ids.has(turn.id) ? [at] : []))),
      orders: {
        BM25: bestTurns(words, units).map((unit) => units[unit]!.turn),
        'words + meaning + neighbours': turnsOf(found.map((_, at) => at)),
        'with the reader, 16 read': turnsOf(reordered(16)),
        'with the reader, 40 read': turnsOf(reordered(READ)),
      },
      floor: Math.max(...words),
      best: bestAnswer(readings, reordered(READ).slice(0, BEST_OF)),
    })
  }
  return ranked
}

const bestAnswer = (readings: Reading[], order: number[]): number =>
  Math.max(...order.map((at) => readings[at]!.answerable))

// A chat turn is read with the one before and after it, and with its date; a long message in pieces.
function unitsOf(turns: Turn[], long: boolean): Unit[] {
  let date: string | null = null
  const said = turns.map((turn) => {
    const who = turn.speaker ?? (turn.role === 'user' ? 'User' : 'Assistant')
    date = turn.date ?? date
    return { who, date, text: turn.text + (turn.image_caption ? ` [shares a photo: ${turn.image_caption}]` : '') }
  })
  return said.flatMap(({ who, date, text }, turn) =>
    (long ? piecesOf(text) : [text]).map((piece) => {
      const near = long ? [] : [turn - 1, turn + 1].filter((at) => turns[at]?.session === turns[turn]!.session)
      const line = (at: number) => `${said[at]!.who}: ${said[at]!.text}`
      const before = near.filter((at) => at < turn).map(line)
      const after = near.filter((at) => at > turn).map(line)
      const window = [...(date ? [date] : []), ...before, `${who}: ${piece}`, ...after].join('\n')
      return { turn, text: `${who}: ${piece}`, window }
    }),
  )
}

function piecesOf(text: string): string[] {
  const words = text.split(/(?<=\s)/)
  const pieces: string[] = []
  for (let at = 0; at < words.length; at += PIECE_WORDS)
    pieces.push(
      words
        .slice(at, at + PIECE_WORDS)
        .join('')
        .trim(),
    )
  return pieces
}

function fuse(words: Float32Array, vectors: Float32Array[], vector: Float32Array, neighbour: number): Float32Array {
  const near = vectors.map((one) =>
    Math.max(
      0,
      one.reduce((sum, value, at) => sum + value * vector[at]!, 0),
    ),
  )
  const [mostWords, mostNear] = [Math.max(...words) || 1, Math.max(...near) || 1]
  const alone = words.map((score, at) => score / mostWords + near[at]! / mostNear)
  return alone.map((score, at) => score + neighbour * ((alone[at - 1] ?? 0) + (alone[at + 1] ?? 0)))
}

// The units in falling order of score, the best one of each turn.
function bestTurns(scores: Float32Array, units: Unit[]): number[] {
  const seen = new Set<number>()
  return Array.from(scores.keys())
    .sort((one, two) => scores[two]! - scores[one]!)
    .filter((unit) => {
      const { turn } = units[unit]!
      return !seen.has(turn) && Boolean(seen.add(turn))
    })
}
