// A chat model answers from what was recalled: asked, its citations checked, its answer weighed against memory.
import type { Recollection } from '../../domain/memory.ts'
import { soundsLikeNoAnswer } from '../../language/language.ts'
import type { ChatModel } from '../../ports/models.ts'
import type { Listening } from '../responder.ts'
import { createCitationFilter, readCitations, uncitedSentences } from './citations.ts'
import { type Asking, instructionPrompt, messagePrompt, type Prompt } from './prompt.ts'
import { type Read, readSupport, type Support, supportOf } from './support.ts'

export type ModelNeeds = { chat: ChatModel }

export type ModelAnswer = {
  text: string // without citations
  cited: Recollection[] // in the order of their first mention
  marks: { at: number; memoryId: string }[] // where the text cites which
  wrongCitations: number // of memories the model was not shown
  uncitedSentences: number
  sentences: number
  refused: boolean // memory has no answer, says the model
  isWhole: boolean
  logprob: number | null
  firstTokenMs: number
  support: Support // by the cited memories; by all that were shown, where none is cited
  read: Read | null
  model: string
  prompt: string // as it is recorded
}

// Throws as ChatModel.write does.
export async function askModel(needs: ModelNeeds, asking: Asking & Listening): Promise<ModelAnswer> {
  return ask(needs, asking, messagePrompt(asking, needs.chat.promptTokens))
}

// Not restricted to memory.
export async function instructModel(needs: ModelNeeds, asking: Asking & Listening): Promise<ModelAnswer> {
  return ask(needs, asking, instructionPrompt(asking, needs.chat.promptTokens))
}

async function ask(
  needs: ModelNeeds,
  asking: Asking & Listening,
  { prompt, shown, recorded }: Prompt,
): Promise<ModelAnswer> {
  const filter = asking.onText && createCitationFilter(asking.onText)
  const written = await needs.chat.write(prompt, { signal: asking.signal, onText: filter?.feed })
  filter?.end()
  const answer = readCitations(written.text)
  const isShown = (number: number) => number >= 1 && number <= shown.length
  const cited = answer.numbers.filter(isShown).map((number) => shown[number - 1]!)
  const { question, context = '', userName = '', persona } = asking
  const given = [question, context, userName, persona.name, persona.instructions]
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
    uncitedSentences: uncitedSentences(answer, isShown).length,
    sentences: support.sentences.length,
    // Small models forget the mark.
    refused: answer.saysNoAnswer || (cited.length === 0 && soundsLikeNoAnswer(answer.text)),
    isWhole: written.isWhole,
    logprob: written.logprob,
    firstTokenMs: written.firstTokenMs,
    support,
    read: readSupport(answer.text, cited),
    model: needs.chat.name,
    prompt: recorded,
  }
}
