// From a message to a reply: recall what memory holds, read the answer out of it, say how sure that is.
import type { Source } from '../domain/conversation.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import type { Explanation } from '../domain/reply.ts'
import type { WebResult, WebSearch } from '../ports/web-search.ts'
import type { Turn } from '../recall/question.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { confidence } from './confidence.ts'
import { type Quote, quote } from './quote.ts'

export type Reply = {
  text: string
  score: number
  logit: number // the score before what the owner's own labels teach
  sources: Source[]
  answeredBy: string // 'memory', or the name of a chat model
  explanation: Explanation
}

export type Asked = { text: string; documentIds: string[] | undefined; before?: Turn[] }

export async function reply(
  needs: RecallNeeds,
  persona: Persona,
  { text, documentIds, before = [] }: Asked,
): Promise<Reply> {
  const recollections = await recall(needs, persona, text, { documentIds, before })
  const best = quote(text, recollections)
  if (!best) return made(unknown(persona), confidence(undefined), [])
  return made(best.sentence, confidence(best), [best.recollection])
}

function made(text: string, score: number, recollections: Recollection[]): Reply {
  return {
    text,
    score,
    logit: Math.log(score / (100 - score)),
    sources: recollections.map(source),
    answeredBy: 'memory',
    explanation: {
      understoodAs: null,
      used: recollections.map(({ memory }) => ({ memoryId: memory.id, sentences: [] })),
      parts: [],
      nearMisses: [],
      prompt: null,
      model: null,
      timings: {},
    },
  }
}

// What memory holds on a subject, quoted and attributed, and what the web says where it may be asked.
export async function searchReply(
  needs: RecallNeeds & { webSearch?: WebSearch | undefined },
  persona: Persona,
  text: string,
): Promise<Reply> {
  const [recollections, results] = await Promise.all([
    recall(needs, persona, text, {}),
    needs.webSearch?.search(text) ?? [],
  ])
  const best = quote(text, recollections)
  const remembered = best
    ? recollections.map((one, index) => `${index + 1}. ${attributed(quote(text, [one]), one)}`)
    : [unknown(persona)]
  const lines = results.length === 0 ? remembered : [...remembered, '', 'From the web:', ...results.map(fromWeb)]
  return made(lines.join('\n'), confidence(best), best ? recollections : [])
}

const fromWeb = ({ title, url, text }: WebResult, index: number): string =>
  `${index + 1}. “${text || title}” (${[text && title, url].filter(Boolean).join(', ')})`

function attributed(found: Quote | undefined, { memory, title }: Recollection): string {
  const day = memory.time.toISOString().slice(0, 10)
  return `“${found?.sentence ?? memory.text}” (${[title, day].filter(Boolean).join(', ')})`
}

const unknown = (_persona: Persona): string => "I don't have that in my memory."

const source = ({ memory, title }: Recollection): Source => ({
  memory_id: memory.id,
  document_id: memory.documentId,
  title,
  text: memory.text,
  start_time_utc: memory.time.toISOString(),
})
