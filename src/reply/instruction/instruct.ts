// An instruction: carried out by the chat model, or, without one, as far as reading and choosing sentences can.
import { AppError } from '../../domain/errors.ts'
import type { Memory, Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { type Order, understandOrder } from '../../language/orders.ts'
import { sentences } from '../../language/sentences.ts'
import { contentWords } from '../../language/words.ts'
import type { ChatModel, ChatTurn } from '../../ports/models.ts'
import type { Store } from '../../ports/store.ts'
import { type RecallNeeds, recall } from '../../recall/recall.ts'
import { listKnown, recallOn } from '../memory/known.ts'
import { instructModel, type Listening, type ModelAnswer } from '../model/ask-model.ts'
import { keySentences } from './summary.ts'

export type InstructNeeds = RecallNeeds & {
  store: Pick<Store, 'traces' | 'documents' | 'memories'>
  chat?: ChatModel | undefined
}

export type Instruction = Listening & {
  text: string
  context?: string | undefined
  userName?: string | undefined
  before: ChatTurn[]
}

export type Instructed =
  | { kind: 'model'; text: string; sources: Recollection[]; answer: ModelAnswer; recalled: Recollection[] }
  // `of`: what was summarised. A summary quotes: it is as right as what it is made of.
  | { kind: 'summary'; text: string; sources: Recollection[]; of: 'document' | 'context' | 'memory' }
  | { kind: 'list'; text: string; sources: Recollection[]; subject: string }
  | { kind: 'none' } // nothing of this: perhaps it is a question that memory answers

// A chat model that fails is told to `onTrouble`; what can be done without it is done.
export async function instruct(needs: InstructNeeds, persona: Persona, instruction: Instruction): Promise<Instructed> {
  if (needs.chat) {
    try {
      return await byModel({ ...needs, chat: needs.chat }, persona, instruction)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'model_failed')) throw error
      needs.onTrouble?.(error)
    }
  }
  const order = understandOrder(instruction.text)
  if (order?.what === 'summarise') return summarise(needs, persona, order, instruction.context)
  if (order?.what === 'list') return list(needs, persona, order)
  return { kind: 'none' }
}

// What a caller is told who wants more than that.
export const cannot = (hasModel: boolean): AppError =>
  new AppError(
    'unavailable',
    hasModel
      ? 'The instruction could not be processed: the chat model gave no answer, and memory has none.'
      : 'The instruction could not be processed: memory has no answer, and no chat model is set. MEMOIR_CHAT_MODEL sets one.',
  )

async function byModel(
  needs: InstructNeeds & { chat: ChatModel },
  persona: Persona,
  { text, ...instruction }: Instruction,
): Promise<Instructed> {
  const recalled = await recall(needs, persona, text, { before: instruction.before })
  const answer = await instructModel(needs, { ...instruction, persona, question: text, recollections: recalled })
  return { kind: 'model', text: answer.text, sources: answer.cited, answer, recalled }
}

async function summarise(
  needs: InstructNeeds,
  persona: Persona,
  { subject, quoted, text, length }: Order & { what: 'summarise' },
  context = '',
): Promise<Instructed> {
  const chosen = async (whole: string) => (await keySentences(needs, whole, length)).join(' ')
  if (text !== '') return summary(await chosen(text), [], 'context')
  const documents = await documentsNamed(needs, persona, [
    ...quoted,
    subject,
    subject.replace(/^(?:about|on) (?:(?:the|my|your) )?/i, ''),
  ])
  if (documents.length > 0) {
    const summed = await chosen(documents.map((one) => one.text).join('\n\n'))
    return summary(summed, await memoriesOf(needs, persona, documents, summed), 'document')
  }
  if (context.trim() !== '') return summary(await chosen(context), [], 'context')
  const recalled = await recallOn(needs, persona, subject)
  const summed = await chosen(recalled.map(({ memory }) => memory.text).join('\n\n'))
  return summary(summed, holding(recalled, summed), 'memory')
}

const summary = (text: string, sources: Recollection[], of: 'document' | 'context' | 'memory'): Instructed =>
  text === '' ? { kind: 'none' } : { kind: 'summary', text, sources, of }

const DOCUMENTS_AT_ONCE = 3 // more of them share a word, and none was meant

async function documentsNamed({ store }: InstructNeeds, persona: Persona, names: string[]) {
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
  { store, embedder }: InstructNeeds,
  persona: Persona,
  documents: { id: string; title: string; tags: string[] }[],
  text: string,
): Promise<Recollection[]> {
  const found = await Promise.all(
    documents.map(async ({ id, title, tags }) =>
      (await store.memories.ofDocument(persona.id, id, embedder.name)).map((memory) =>
        asRecollection(memory, title, tags),
      ),
    ),
  )
  return holding(found.flat(), text)
}

const asRecollection = (memory: Memory, title: string, tags: string[]): Recollection => ({
  memory,
  title,
  tags,
  score: 1,
  parts: {},
})

// Those that a sentence of the text was taken from.
function holding(recollections: Recollection[], text: string): Recollection[] {
  const taken = sentences(text)
  return recollections.filter(({ memory }) => {
    const text = memory.text.replaceAll(/\s+/g, ' ')
    return taken.some((sentence) => text.includes(sentence))
  })
}

async function list(
  needs: InstructNeeds,
  persona: Persona,
  { subject, named }: Order & { what: 'list' },
): Promise<Instructed> {
  const { lines, sources } = await listKnown(needs, persona, subject)
  if (lines.length === 0) return { kind: 'none' }
  return { kind: 'list', subject, sources, text: [`What I know about ${named}:`, ...lines].join('\n') }
}
