// A reply that a chat model writes: asks it, weighs what it wrote; where it fails, memory alone answers.
import { AppError } from '../../domain/errors.ts'
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { evenWeights, sentenceRanges, shareInText, stems } from '../../language/language.ts'
import { type About, composeReply, type Reply } from '../compose.ts'
import { type Quote, quote, quoteWhole } from '../evidence/evidence.ts'
import type { Occasion, Recalled } from '../responder.ts'
import type { Confidence } from '../score/confidence.ts'
import { smallTalkConfidence } from '../score/fixed.ts'
import { modelConfidence } from '../score/model-confidence.ts'
import { askModel, type ModelAnswer } from './ask-model.ts'

const NOTHING: Recalled = { question: '', recollections: [], tookMs: 0 }

// Null where there is no model, and where it failed: `onTrouble` received the error.
export async function answerByModel({ needs, persona, request, recalled }: Occasion): Promise<Reply | null> {
  const { chat, onTrouble } = needs
  if (!chat) return null
  const { message, ...given } = request
  const { text, question, before, smallTalk } = message
  // A greeting needs no memory; "who are you?" does.
  const isGreeting = smallTalk !== null && smallTalk !== 'identity'
  const { recollections, tookMs } = isGreeting ? NOTHING : await recalled()
  const began = performance.now()
  try {
    const answer = await askModel({ chat }, { ...given, persona, question: text, before, recollections })
    const sure =
      smallTalk && keepsToSmallTalk(answer.text, persona, given.userName)
        ? smallTalkConfidence(smallTalk)
        : modelConfidence(question, recollections, answer, persona.calibration)
    const timings = { recall: tookMs, model: performance.now() - began }
    return composeModelReply(answer, sure, {
      understoodAs: question === text ? null : question,
      recollections,
      timings,
    })
  } catch (error) {
    if (!isModelFailure(error)) throw error
    onTrouble?.(error)
    return null
  }
}

const SMALL = 30 // words
const FROM_ITS_INSTRUCTIONS = 0.6 // share of the words of a reply

// Whether a reply to small talk states nothing that memory would have to support: no figure and no name, or only what
// the persona's instructions say of it.
function keepsToSmallTalk(text: string, { name, instructions }: Persona, userName = ''): boolean {
  if (text.split(/\s+/).length > SMALL) return false
  const known = `${name} ${userName} ${instructions}`
  if (shareInText(evenWeights(stems(text)), known) >= FROM_ITS_INSTRUCTIONS) return true
  const stated = text.match(/\d+|(?<=[\p{Ll},] )\p{Lu}[\p{L}’'-]+/gu) ?? []
  return stated.every((word) => word === 'I' || /^I['’]/.test(word) || known.includes(word))
}

export const isModelFailure = (error: unknown): boolean => error instanceof AppError && error.code === 'model_failed'

export function composeModelReply(answer: ModelAnswer, sure: Confidence, about: About): Reply {
  const used = answer.cited.map((recollection) => findQuote(answer.text, recollection))
  return composeReply({ text: answer.text, used }, sure, {
    ...about,
    isKnown: !answer.refused,
    model: answer.model,
    prompt: answer.prompt,
  })
}

// The sentence of a cited memory that the answer shares most with.
function findQuote(answer: string, source: Recollection): Quote {
  const { text } = source.memory
  const weights = evenWeights(stems(answer))
  const [best] = sentenceRanges(text)
    .map((range) => ({ range, share: shareInText(weights, text.slice(range.start, range.end)) }))
    .sort((one, two) => two.share - one.share)
  return best ? quote(source, best.range) : quoteWhole(source)
}
