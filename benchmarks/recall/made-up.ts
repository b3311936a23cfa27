// Made-up chat turns, written straight into the store's tables: a million through the front would take hours of embedding.
import { DatabaseSync } from 'node:sqlite'
import { termsOf } from '../../src/language/language.ts'
import { toBytes } from '../../src/recall/index/vectors.ts'

const random = (seed: number) => {
  let state = (seed * 2654435761) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export function randomVector(seed: number): Float32Array {
  const next = random(seed + 1)
  const vector = new Float32Array(384).map(() => next() + next() + next() - 1.5)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

// Words as often as in a language: the second half as often as the first, the third a third as often, …; made of two
// nouns, which a model reads in about as many pieces as any text of that length.
const WORDS = 40_000
const word = (next: () => number): string => {
  const rank = Math.floor(WORDS ** next())
  return rank < 60 ? COMMON[rank % COMMON.length]! : NOUNS[rank % 200]! + NOUNS[Math.floor(rank / 200)]!
}
const NOUNS = `
  air arm art bag ball bank base bath bean bear bed bee bell belt bird boat body bone book boot box
  boy bread brick bridge brush bus cake camp candle car card cat chair chalk cheese child church city
  clay clock cloth cloud club coal coat coffee coin corn cow cup curtain day deer desk dog door dream
  dress drum duck dust ear earth east egg eye face farm feather fence field fire fish flag floor
  flower fog foot forest fork fox frame friend frog fruit game garden gate gift girl glass goat gold
  goose grain grape grass hair hall hammer hand harbour hat head heart hedge hen hill honey hook
  horse hotel hour house ice ink iron island jam jar juice kettle key king kitchen kite knee knife
  knot ladder lake lamp land leaf leg lemon letter light line lion lock map market meat milk mill
  mirror money moon morning mountain mouse mouth music nail neck needle nest net night north nose nut
  oak oil onion orange oven owl paint paper park path pear pen pepper piano pig pin plant plate plum
  pond pot queen rain ring river road roof room rope rose salt sand school sea seed sheep`
  .trim()
  .split(/\s+/)
const COMMON = 'the i to and a you it of that in my is was for so with have me on'.split(' ')

const turn = (seed: number): string => {
  const next = random(seed)
  return Array.from({ length: 14 + Math.floor(next() * 20) }, () => word(next)).join(' ')
}

export const questionText = (at: number): string => {
  const next = random(at + 77)
  return `When did ${Array.from({ length: 8 }, () => word(next)).join(' ')}?`
}

export function fillStore(file: string, personas: number, each: number, embedder = 'made-up'): void {
  const db = new DatabaseSync(file)
  db.exec('pragma synchronous = off; begin')
  const memory = db.prepare(
    `insert into memories (number, persona_id, id, document_id, position, text, time, headings, page, start, "end", speaker) values (?, ?, ?, ?, 0, ?, ?, '[]', null, 0, 0, ?)`,
  )
  const document = db.prepare(
    `insert into documents (persona_id, id, kind, title, title_key, text, source_name, file_bytes, start_time, time_given, tags, is_draft, is_edited, request_id, created_at, updated_at, state, progress, attempts, due_at) values (?, ?, 'memory', '', '', '', 'bench', 0, 0, 1, '[]', 0, 0, '', 0, 0, 'ready', 100, 0, 0)`,
  )
  const trace = db.prepare(
    'insert into traces (persona_id, number, document_id, time, speaker, is_turn, is_self, words) values (?, ?, ?, ?, ?, 1, 0, ?)',
  )
  const vector = db.prepare(`insert into vectors (persona_id, number, embedder, bytes) values (?, ?, ?, ?)`)
  const vectors = Array.from({ length: 5_000 }, (_, seed) => toBytes(randomVector(seed)))
  const turns = Array.from({ length: Math.min(personas * each, 50_000) }, (_, seed) => {
    const text = turn(seed)
    return { text, words: new Uint8Array(termsOf(text).buffer) }
  })
  let number = 0
  for (let persona = 1; persona <= personas; persona++) {
    for (let row = 0; row < each; row++) {
      number++
      const id = `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
      const { text, words } = turns[number % turns.length]!
      const time = Math.floor(number / 30) * 86_400_000
      const speaker = number % 2 ? 'ada' : 'bob'
      document.run(persona, id)
      memory.run(number, persona, id, id, text, time, speaker)
      trace.run(persona, number, id, time, speaker, words)
      vector.run(persona, number, embedder, vectors[number % 5_000]!)
    }
  }
  db.exec('commit')
  db.close()
}
