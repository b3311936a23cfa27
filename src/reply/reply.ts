// From a message to a reply: recall what memory holds, read the answer out of it, say how sure that is.
import type { Source } from '../domain/conversation.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { confidence } from './confidence.ts'
import { type Quote, quote } from './quote.ts'

export type Reply = { text: string; score: number; sources: Source[] }

export type Asked = { text: string; documentIds: string[] | undefined }

export async function reply(needs: RecallNeeds, persona: Persona, { text, documentIds }: Asked): Promise<Reply> {
  const recollections = await recall(needs, persona, text, { documentIds })
  const best = quote(text, recollections)
  if (!best) return { text: unknown(persona), score: confidence(undefined), sources: [] }
  return { text: best.sentence, score: confidence(best), sources: [source(best.recollection)] }
}

// What memory holds on a subject, quoted and attributed.
export async function searchReply(needs: RecallNeeds, persona: Persona, text: string): Promise<Reply> {
  const recollections = await recall(needs, persona, text, {})
  const best = quote(text, recollections)
  if (!best) return { text: unknown(persona), score: confidence(undefined), sources: [] }
  const quoted = recollections.map(
    (recollection, index) => `${index + 1}. ${attributed(quote(text, [recollection]), recollection)}`,
  )
  return { text: quoted.join('\n'), score: confidence(best), sources: recollections.map(source) }
}

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
