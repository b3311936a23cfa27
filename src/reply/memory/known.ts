// What memory holds on a subject: its sentences, one a line, each once, with where it comes from.
import { limits } from '../../domain/limits.ts'
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { sentences } from '../../language/sentences.ts'
import { contentWords, stem } from '../../language/words.ts'
import { type RecallNeeds, recall } from '../../recall/recall.ts'

export async function listKnown(needs: RecallNeeds, persona: Persona, subject: string) {
  const asked = stemsOf(subject)
  const said: { line: string; stems: Set<string> }[] = []
  const sources: Recollection[] = []
  for (const recollection of await recallOn(needs, persona, subject)) {
    for (const sentence of about(asked, recollection)) {
      const stems = stemsOf(sentence)
      if (said.length >= limits.listedSentences || said.some((one) => share(stems, one.stems) >= SAID_BEFORE)) continue
      said.push({ line: `- ${sentence} (${origin(recollection)})`, stems })
      if (!sources.includes(recollection)) sources.push(recollection)
    }
  }
  return { lines: said.map((one) => one.line), sources }
}

const NAMED = 0.5 // share of the subject's words that something about it holds
const SAID_BEFORE = 0.9 // share of a sentence's words that an earlier line holds

// What was recalled about a subject, and names it.
export async function recallOn(needs: RecallNeeds, persona: Persona, subject: string): Promise<Recollection[]> {
  const asked = stemsOf(subject)
  if (asked.size === 0) return []
  const recalled = await recall(needs, persona, subject, { size: limits.listRecollections })
  return recalled.filter(({ memory, title }) => share(asked, stemsOf(`${title} ${memory.text}`)) >= NAMED)
}

const GOES_ON = /^(?:he|she|it|they|his|her|its|their|this|that|these|those)\b/i

// Sentences that name the subject, each with those that go on about it; all of them where the title does.
function about(asked: Set<string>, { memory, title }: Recollection): string[] {
  const isAllAbout = share(asked, stemsOf(title)) >= NAMED
  const found: string[] = []
  let isOn = false
  for (const sentence of sentences(memory.text)) {
    const names = share(asked, stemsOf(sentence)) >= NAMED
    const goesOn: boolean = isOn && !names && GOES_ON.test(sentence)
    if (goesOn) found[found.length - 1] += ` ${sentence}`
    else if ((names || isAllAbout) && !sentence.endsWith('?')) found.push(sentence)
    isOn = found.length > 0 && (goesOn || names || isAllAbout)
  }
  return found
}

const origin = ({ memory, title }: Recollection): string =>
  [title, memory.time.toISOString().slice(0, 10)].filter(Boolean).join(', ')

const stemsOf = (text: string): Set<string> => new Set(contentWords(text).map(stem))

export function share(of: Set<string>, held: Set<string>): number {
  let shared = 0
  for (const word of of) if (held.has(word)) shared++
  return shared / Math.max(1, of.size)
}
