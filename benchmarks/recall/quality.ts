// How many of the memories that answer a question come first: stored as a caller stores them, asked as a caller asks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { ownerKey } from '../../src/domain/access.ts'
import { termsOf } from '../../src/language/language.ts'
import type { Embedder } from '../../src/ports/models.ts'
import { openRooms } from '../../src/start.ts'
import type { Conversation } from './sets.ts'

export type Scores = { turns: number[]; groups: number[]; groupHits: number[] } // averages of recall@k, in percent
type Asking = (question: string, size: number) => Promise<string[]> // ids of items, best first

const DEEPEST = 50

// `some`: only every so many questions, the ones that are asked with the reader, too.
export type Measured = { ours: Scores; words: Scores; meaning: Scores; some: Scores; asked: number }
type Ks = { turns: number[]; groups: number[] }

const TOGETHER = 16

// What the first look finds.
export async function measure(
  conversations: Conversation[],
  embedder: Embedder,
  ks: Ks,
  every: number,
  settings: Record<string, string> = {},
): Promise<Measured> {
  const { rooms, close } = await open(embedder, { isRead: false, settings })
  const sums = { ours: new Sum(ks), words: new Sum(ks), meaning: new Sum(ks), some: new Sum(ks) }
  try {
    for (const conversation of conversations) {
      const idOf = await fill(rooms, conversation)
      const ours = through(rooms, conversation, idOf)
      const floors = { words: wordsOnly(conversation), meaning: await meaningOnly(conversation, embedder) }
      const { questions } = conversation
      const ask = async ({ text, evidence }: (typeof questions)[number], at: number) => {
        const found = await ours(text, DEEPEST)
        sums.ours.add(conversation, evidence, found)
        if (at % every === 0) sums.some.add(conversation, evidence, found)
        sums.words.add(conversation, evidence, await floors.words(text, DEEPEST))
        sums.meaning.add(conversation, evidence, await floors.meaning(text, DEEPEST))
      }
      // So many together that they are embedded in batches, and no more than the service lets wait.
      for (let from = 0; from < questions.length; from += TOGETHER)
        await Promise.all(questions.slice(from, from + TOGETHER).map((question, at) => ask(question, from + at)))
    }
  } finally {
    await close()
  }
  return {
    ours: sums.ours.scores(),
    words: sums.words.scores(),
    meaning: sums.meaning.scores(),
    some: sums.some.scores(),
    asked: sums.some.questions,
  }
}

// Reranked by the reader, as in the service: what it reads does not depend on how busy the machine is.
export async function measureRead(
  conversations: Conversation[],
  embedder: Embedder,
  ks: Ks,
  every: number,
): Promise<Scores> {
  const { rooms, close } = await open(embedder, { isRead: true })
  const sum = new Sum(ks)
  try {
    for (const conversation of conversations) {
      const ours = through(rooms, conversation, await fill(rooms, conversation))
      for (const question of conversation.questions.filter((_, at) => at % every === 0))
        sum.add(conversation, question.evidence, await ours(question.text, DEEPEST))
    }
  } finally {
    await close()
  }
  return sum.scores()
}

async function open(
  embedder: Embedder,
  { isRead, settings = {} }: { isRead: boolean; settings?: Record<string, string> },
) {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-recall-'))
  const reader = { MEMOIR_READER: isRead ? '1' : '0' }
  const config = readConfig({ MEMOIR_DATA: folder, MEMOIR_LOG: 'error', ...reader, ...settings })
  const rooms = await openRooms(config, {
    embedder: { ...embedder, close: async () => {} },
  })
  const close = async () => {
    await rooms.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { rooms, close }
}

const through =
  (rooms: Rooms, conversation: Conversation, idOf: Map<string, string>): Asking =>
  async (question, size) => {
    const { recollections } = await rooms.app
      .admin({ key: ownerKey, requestId: 'bench' })
      .recall({ domain_name: nameOf(conversation), question, size })
    return recollections.map((one) => idOf.get(one.document_id)!)
  }

const nameOf = ({ name }: Conversation) => name.replaceAll(/[^a-z0-9-]/g, '-')

type Rooms = Awaited<ReturnType<typeof openRooms>>

async function fill(rooms: Rooms, conversation: Conversation): Promise<Map<string, string>> {
  const DomainName = nameOf(conversation)
  await rooms.app.admin({ key: ownerKey, requestId: 'bench' }).createPersona({ domain_name: DomainName, name: 'Bench' })
  const service = rooms.app.as({ key: ownerKey, requestId: 'bench' })
  for (const { id, text, time, title } of conversation.items) {
    if (title === undefined) await service.memory({ DomainName, Text: text, SourceName: 'bench', Createdtime: time })
    else await service.uploadText({ DomainName, Text: text, Title: `${title} ${id}`, is_stack: true })
  }
  await rooms.learned()
  // Documents' ids rise in the order of posting.
  const persona = await rooms.store.personas.byDomainName(DomainName)
  const documents = new Set<string>()
  for (let before: string | undefined; ; ) {
    const page = await rooms.store.memories.list(persona!.id, { limit: 1000, before })
    for (const { memory } of page) documents.add(memory.documentId)
    if (page.length < 1000) break
    before = page.at(-1)!.memory.id
  }
  return new Map([...documents].sort().map((document, at) => [document, conversation.items[at]!.id]))
}

// The floor: BM25 with stemming over whole texts, nothing else.
function wordsOnly({ items }: Conversation): Asking {
  const texts = items.map(({ text }) => termsOf(text))
  const average = texts.reduce((sum, terms) => sum + terms.length, 0) / texts.length
  const holding = new Map<number, Map<number, number>>()
  texts.forEach((terms, at) => {
    for (const term of terms) {
      const counts = holding.get(term) ?? new Map()
      holding.set(term, counts.set(at, (counts.get(at) ?? 0) + 1))
    }
  })
  return async (question, size) => {
    const scores = new Float64Array(items.length)
    for (const term of new Set(termsOf(question))) {
      const counts = holding.get(term)
      if (!counts) continue
      const rarity = Math.log(1 + (items.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [at, count] of counts)
        scores[at]! += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * texts[at]!.length) / average))
    }
    return best(items, scores, size)
  }
}

// Bare MiniLM: the cosine of question and whole text.
async function meaningOnly({ items }: Conversation, embedder: Embedder): Promise<Asking> {
  const vectors = await embedder.embed(
    items.map(({ text }) => text),
    'memory',
  )
  return async (question, size) => {
    const [asked] = await embedder.embed([question], 'question')
    return best(
      items,
      vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * asked![at]!, 0)),
      size,
    )
  }
}

function best(items: Conversation['items'], scores: ArrayLike<number>, size: number): string[] {
  const order = Array.from(items, (_, at) => at).sort((one, two) => scores[two]! - scores[one]! || one - two)
  return order.slice(0, size).map((at) => items[at]!.id)
}

class Sum {
  ks: { turns: number[]; groups: number[] }
  turns: number[]
  groups: number[]
  groupHits: number[]
  questions = 0
  constructor(ks: { turns: number[]; groups: number[] }) {
    this.ks = ks
    this.turns = ks.turns.map(() => 0)
    this.groups = ks.groups.map(() => 0)
    this.groupHits = ks.groups.map(() => 0)
  }
  add({ items }: Conversation, evidence: string[], found: string[]): void {
    this.questions++
    const groupOf = new Map(items.map(({ id, group }) => [id, group]))
    const ids = new Set(evidence)
    const groups = new Set(evidence.flatMap((id) => groupOf.get(id) ?? []))
    const foundGroups = [...new Set(found.flatMap((id) => groupOf.get(id) ?? []))]
    this.ks.turns.forEach((k, at) => {
      this.turns[at]! += share(ids, found.slice(0, k))
    })
    this.ks.groups.forEach((k, at) => {
      this.groups[at]! += share(groups, foundGroups.slice(0, k))
      this.groupHits[at]! += foundGroups.slice(0, k).some((group) => groups.has(group)) ? 1 : 0
    })
  }
  scores(): Scores {
    const average = (sum: number) => (100 * sum) / this.questions
    return { turns: this.turns.map(average), groups: this.groups.map(average), groupHits: this.groupHits.map(average) }
  }
}

// Two pieces of one text take two places and count once.
const share = (wanted: Set<string>, found: string[]): number =>
  wanted.size === 0 ? 0 : [...wanted].filter((id) => found.includes(id)).length / wanted.size
