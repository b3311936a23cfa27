// What was asked and not known, grouped by likeness: the gaps of a memory are the best list of what to write next.
import { firstIdAt } from '../../domain/id.ts'
import type { Persona } from '../../domain/persona.ts'
import type { ListedReply } from '../../domain/reply.ts'
import { hear, understand } from '../../language/language.ts'
import { recall } from '../../recall/recall.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'

type Asked = { text: string; times: number; last: Date }
type Group = Asked & { vector: Float32Array; others: string[] }

export async function findGaps(needs: AdminNeeds, persona: Persona, days: number) {
  const { store, embedder } = needs
  const since = new Date(Date.now() - days * DAY_MS)
  const replies = await store.replies.unknown(persona.id, since, limits.unknownBelow, limits.unknownReplies)
  const asked = differentQuestions(replies).slice(0, limits.unknownQuestions)
  const vectors = await embedder.embed(
    asked.map(({ text }) => text),
    'question',
  )
  const groups = groupAlike(asked, vectors)
    .toSorted((one, two) => two.times - one.times || two.last.getTime() - one.last.getTime())
    .slice(0, limits.unknownGroups)
  const gaps: Group[] = []
  for (const group of groups) if (!(await isTaughtSince(needs, persona, group))) gaps.push(group)
  return gaps.map(({ text, times, last, others }) => ({ question: text, times, others, last_at: last.toISOString() }))
}

// Whether something like it was learned since it was last asked. If that was no answer, it is asked and listed again.
async function isTaughtSince(needs: AdminNeeds, persona: Persona, group: Group): Promise<boolean> {
  const { text, vector } = group
  const { query } = understand(hear(text, { asked: text, meaning: { embedder: needs.embedder.name, vector } }))
  const found = await recall({ ...needs, rerank: undefined }, persona, query, { size: NEAREST })
  return found.some(({ memory, parts }) => isSince(memory.documentId, group) && (parts.meaning ?? 0) >= ABOUT_IT)
}

const isSince = (documentId: string, { last }: Group): boolean => documentId >= firstIdAt(last)
const NEAREST = 5
const ABOUT_IT = 0.45 // cosine of a question and a memory that answers it; what does not is mostly below 0.38

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
