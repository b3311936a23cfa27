// What was asked and not known, grouped by likeness: the gaps of a memory are the best list of what to write next.
import type { Persona } from '../../domain/persona.ts'
import type { ListedReply } from '../../domain/reply.ts'
import type { Embedder } from '../../ports/models.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'

type Asked = { text: string; times: number; last: Date }
type Group = Asked & { vector: Float32Array; others: string[] }

export async function findGaps(
  { store, embedder }: { store: Store; embedder: Embedder },
  persona: Persona,
  days: number,
) {
  const since = new Date(Date.now() - days * DAY_MS)
  const replies = await store.replies.unknown(persona.id, since, limits.unknownBelow, limits.unknownReplies)
  const asked = differentQuestions(replies).slice(0, limits.unknownQuestions)
  const vectors = await embedder.embed(
    asked.map(({ text }) => text),
    'question',
  )
  return groupAlike(asked, vectors)
    .toSorted((one, two) => two.times - one.times || two.last.getTime() - one.last.getTime())
    .map(({ text, times, last, others }) => ({ question: text, times, others, last_at: last.toISOString() }))
}

const DAY_MS = 86_400_000
const ALIKE = 0.52 // cosine of two questions about one thing

// The newest first, as their replies come.
function differentQuestions(replies: ListedReply[]): Asked[] {
  const found = new Map<string, Asked>()
  for (const { question, createdAt } of replies) {
    const text = question.trim().slice(0, limits.unknownCharacters)
    const same = found.get(text.toLowerCase())
    if (same) same.times++
    else found.set(text.toLowerCase(), { text, times: 1, last: createdAt })
  }
  return [...found.values()]
}

function groupAlike(asked: Asked[], vectors: Float32Array[]): Group[] {
  const groups: Group[] = []
  for (const [at, one] of asked.entries()) {
    const vector = vectors[at]!
    const [nearest] = groups
      .map((group) => ({ group, likeness: dot(group.vector, vector) }))
      .sort((a, b) => b.likeness - a.likeness)
    if (!nearest || nearest.likeness < ALIKE) groups.push({ ...one, vector, others: [] })
    else {
      nearest.group.times += one.times
      if (nearest.group.others.length < limits.unknownOthers) nearest.group.others.push(one.text)
    }
  }
  return groups
}

// Of vectors of unit length.
const dot = (one: Float32Array, two: Float32Array): number => one.reduce((sum, value, at) => sum + value * two[at]!, 0)
