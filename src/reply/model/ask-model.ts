// A chat model answers from what was recalled: asked, its citations checked, each sentence held to what it cites.
import type { Recollection } from '../../domain/memory.ts'
import { soundsLikeNoAnswer, speaksAnotherLanguage } from '../../language/language.ts'
import type { ChatModel, Reader, Written } from '../../ports/models.ts'
import type { Listening } from '../responder.ts'
import { type Cited, citedSentences, createCitationFilter, readCitations } from './citations.ts'
import { type Held, holdToMemory } from './hold.ts'
import { type Asking, instructionPrompt, messagePrompt, type Prompt } from './prompt.ts'
import { type Read, readSupport, type Support, supportOf } from './support.ts'
import { findUnfit } from './unfit.ts'

export type ModelNeeds = {
  chat: ChatModel
  reader?: Pick<Reader, 'verify'> | undefined
  onTrouble?(error: unknown): void
}

export type Weighed = {
  text: string // without citations, and without what was dropped; empty where nothing is left
  cited: Recollection[] // in the order of their first mention
  marks: { at: number; memoryId: string }[] // where the text cites which
  wrongCitations: number // of memories the model was not shown
  uncitedSentences: number
  sentences: number
  held: Held[] // the sentences that state something, as memory bears them out
  dropped: Held[]
  refused: boolean // memory has no answer, says the model
  isWhole: boolean
  logprob: number | null
  support: Support // by the cited memories; by all that were shown, where none is cited
  read: Read | null
}

// The prompt is the one that is recorded.
export type ModelAnswer = Weighed & {
  unfit: string | null // why it is no reply; nothing that someone has seen already is unfit
  firstTokenMs: number
  model: string
  prompt: string
}

// What memory contradicts or orders is left out, unless someone has seen it already. Throws as ChatModel.write does.
export async function askModel(needs: ModelNeeds, asking: Asking & Listening): Promise<ModelAnswer> {
  return ask(needs, asking, messagePrompt(asking, needs.chat.promptTokens), asking.onText === undefined)
}

// Not restricted to memory.
export async function instructModel(needs: ModelNeeds, asking: Asking & Listening): Promise<ModelAnswer> {
  return ask(needs, asking, instructionPrompt(asking, needs.chat.promptTokens), false)
}

async function ask(
  needs: ModelNeeds,
  asking: Asking & Listening,
  { prompt, shown, recorded }: Prompt,
  isDropping: boolean,
): Promise<ModelAnswer> {
  const filter = asking.onText && createCitationFilter(asking.onText)
  const written = await needs.chat.write(prompt, { signal: asking.signal, onText: filter?.feed })
  filter?.end()
  const weighed = await weigh(needs, asking, shown, written, isDropping)
  const unfit = isDropping ? findUnfit(weighed.text, written.isWhole, asking) : null
  return { ...weighed, unfit, firstTokenMs: written.firstTokenMs, model: needs.chat.name, prompt: recorded }
}

type Answering = Pick<Asking, 'question' | 'userName' | 'persona'>

export async function weigh(
  needs: Omit<ModelNeeds, 'chat'>,
  { question, userName = '', persona }: Answering,
  shown: Recollection[],
  { text, isWhole, logprob }: Pick<Written, 'text' | 'isWhole' | 'logprob'>,
  isDropping: boolean,
): Promise<Weighed> {
  const whole = readCitations(text)
  // Not the caller's context: it is no memory, and what only it says is not supported.
  const given = [question, userName, persona.name, persona.instructions]
  const held = await holdAnswer(needs, whole, shown, [userName, persona.name])
  const dropped = isDropping ? held.filter(isDroppable) : []
  const answer = dropped.length > 0 ? withoutSentences(whole, dropped) : whole
  const isShown = (number: number) => number >= 1 && number <= shown.length
  const cited = answer.numbers.filter(isShown).map((number) => shown[number - 1]!)
  const support = supportOf(answer.text, cited.length > 0 ? cited : shown, given)
  return {
    text: answer.text,
    cited,
    marks: answer.marks.flatMap(({ at, numbers }) =>
      numbers
        .filter(isShown)
        .map((number) => ({ at: Math.min(at, answer.text.length), memoryId: shown[number - 1]!.memory.id })),
    ),
    wrongCitations: answer.numbers.length - cited.length,
    uncitedSentences: citedSentences(answer).filter(({ numbers }) => !numbers.some(isShown)).length,
    sentences: support.sentences.length,
    held: held.filter((one) => !dropped.includes(one)),
    dropped,
    // Small models forget the mark.
    refused: answer.saysNoAnswer || (cited.length === 0 && soundsLikeNoAnswer(answer.text)),
    isWhole,
    logprob,
    support,
    read: readSupport(answer.text, cited),
  }
}

// What follows a memory's orders is no more to be said than what memory contradicts.
const isDroppable = ({ verdict, conflict }: Held): boolean => verdict === 'contradicted' || conflict === 'order'

// The reader knows English only: what speaks another language than its memories is not held to them.
async function holdAnswer(
  needs: Omit<ModelNeeds, 'chat'>,
  answer: Cited,
  shown: Recollection[],
  given: string[],
): Promise<Held[]> {
  const texts = shown.map(({ memory }) => memory.text)
  if (answer.saysNoAnswer || speaksAnotherLanguage(answer.text, texts)) return []
  return holdToMemory(needs, citedSentences(answer), shown, given)
}

function withoutSentences(answer: Cited, dropped: Held[]): Cited {
  const isDropped = (start: number) => dropped.some(({ sentence }) => sentence.start === start)
  const left = citedSentences(answer).filter(({ start }) => !isDropped(start))
  const marked = left.map(({ text, numbers }) => `${text}${numbers.map((number) => ` [m${number}]`).join('')}`)
  return { ...readCitations(marked.join(' ')), saysNoAnswer: answer.saysNoAnswer }
}
