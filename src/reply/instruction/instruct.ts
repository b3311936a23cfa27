// Carries out an instruction: by the chat model, or, without one, as far as reading and choosing sentences can.
import { limits as serviceLimits } from '../../domain/limits.ts'
import type { KnownMemory, Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { contentWords, type Order, sayKnownAbout, sentences, withoutAbout } from '../../language/language.ts'
import type { ChatModel } from '../../ports/models.ts'
import { listKnown, recollectionsOn } from '../memory/known.ts'
import { instructModel, type ModelAnswer } from '../model/ask-model.ts'
import { type Occasion, type ReplyNeeds, readFor } from '../responder.ts'
import { keySentences } from './summary.ts'

export type Instructed =
  | { kind: 'model'; answer: ModelAnswer; recollections: Recollection[] }
  // `of`: what was summarised. A summary quotes: it is as right as what it is made of.
  | { kind: 'summary'; text: string; sources: KnownMemory[]; of: 'document' | 'context' | 'memory' }
  | { kind: 'list'; text: string; sources: KnownMemory[] }
  | { kind: 'none' } // nothing of this: perhaps it is a question that memory answers

// Throws as the chat model does.
export async function instructByModel(
  { needs, persona, request, recalled }: Occasion,
  chat: ChatModel,
): Promise<Instructed> {
  const { message, ...given } = request
  const recollections = (await recalled()).recollections.slice(0, serviceLimits.recallSize)
  const { text: question, before } = message
  const answer = await instructModel({ ...needs, chat }, { ...given, persona, question, before, recollections })
  return { kind: 'model', answer, recollections }
}

// What can be done without a chat model.
export async function instruct(occasion: Occasion, order: Order | undefined): Promise<Instructed> {
  if (order?.what === 'summarise') return summarise(occasion, order)
  if (order?.what === 'list') return list(occasion, order)
  return { kind: 'none' }
}

async function summarise(
  { needs, persona, request: { context = '' }, recalled }: Occasion,
  { subject, quoted, text, length }: Order & { what: 'summarise' },
): Promise<Instructed> {
  const choose = async (whole: string) => (await keySentences(needs, whole, length)).join(' ')
  if (text !== '') return summary(await choose(text), [], 'context')
  const documents = await documentsNamed(needs, persona, [...quoted, subject, withoutAbout(subject)])
  if (documents.length > 0) {
    const summed = await choose(documents.map((one) => one.text).join('\n\n'))
    return summary(summed, await memoriesOf(needs, persona, documents, summed), 'document')
  }
  if (context.trim() !== '') return summary(await choose(context), [], 'context')
  const found = recollectionsOn(subject, await readFor(needs, subject, await recalled()))
  const summed = await choose(found.map(({ memory }) => memory.text).join('\n\n'))
  return summary(summed, holding(found, summed), 'memory')
}

const summary = (text: string, sources: KnownMemory[], of: 'document' | 'context' | 'memory'): Instructed =>
  text === '' ? { kind: 'none' } : { kind: 'summary', text, sources, of }

const DOCUMENTS_AT_ONCE = 3 // more of them share a word, and none was meant

async function documentsNamed({ store }: ReplyNeeds, persona: Persona, names: string[]) {
  for (const name of names) {
    if (contentWords(name).length === 0) continue
    const ids = await store.documents.named(persona.id, name)
    if (ids.length > DOCUMENTS_AT_ONCE) continue
    const documents = await Promise.all(ids.map((id) => store.documents.get(persona.id, id)))
    const known = documents.flatMap((one) => (one && !one.isDraft && one.text !== '' ? [one] : []))
    if (known.length > 0) return known
  }
  return []
}

async function memoriesOf(
  { store, embedder }: ReplyNeeds,
  persona: Persona,
  documents: { id: string; title: string; tags: string[] }[],
  text: string,
): Promise<KnownMemory[]> {
  const found = await Promise.all(
    documents.map(async ({ id, title, tags }) => {
      const memories = await store.memories.ofDocument(persona.id, id, embedder.name)
      return memories.map((memory) => ({ memory, title, tags }))
    }),
  )
  return holding(found.flat(), text)
}

// Those that a sentence of the text was taken from.
function holding(memories: KnownMemory[], text: string): KnownMemory[] {
  const taken = sentences(text)
  return memories.filter(({ memory }) => {
    const text = memory.text.replaceAll(/\s+/g, ' ')
    return taken.some((sentence) => text.includes(sentence))
  })
}

async function list({ needs, recalled }: Occasion, { subject, named }: Order & { what: 'list' }): Promise<Instructed> {
  const { lines, sources } = listKnown(subject, await readFor(needs, subject, await recalled()))
  return lines.length === 0 ? { kind: 'none' } : { kind: 'list', sources, text: sayKnownAbout(named, lines) }
}
