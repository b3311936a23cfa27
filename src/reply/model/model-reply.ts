// A reply that a chat model writes: asks it, weighs what it wrote; where it fails, memory alone answers.
import { AppError } from '../../domain/errors.ts'
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import {
  evenWeights,
  type SmallTalk,
  sentenceRanges,
  shareBeyondTalk,
  shareInText,
  stems,
} from '../../language/language.ts'
import { type About, composeReply, type Reply } from '../compose.ts'
import { type Quote, quote, quoteWhole } from '../evidence/evidence.ts'
import type { Occasion, Recalled } from '../responder.ts'
import { type Confidence, certain } from '../score/confidence.ts'
import { smallTalkConfidence } from '../score/fixed.ts'
import { modelConfidence } from '../score/model-confidence.ts'
import { askModel, type ModelAnswer } from './ask-model.ts'

const NOTHING: Recalled = { question: '', recollections: [], memories: 0, tookMs: 0 }

// By memory alone where there is no model; then, and where it failed, `withoutModel` says why.
type Spoken = { reply: Reply } | { reply: null; withoutModel: string | null }

export async function answerByModel({ needs, persona, request, recalled }: Occasion): Promise<Spoken> {
  const { chat, withoutModel = null } = needs
  if (!chat) return { reply: null, withoutModel }
  const { message, ...given } = request
  const { text, question, before, smallTalk } = message
  // A greeting needs no memory; "who are you?" does.
  const isGreeting = smallTalk !== null && smallTalk !== 'identity'
  const { recollections, tookMs } = isGreeting ? NOTHING : await recalled()
  const began = performance.now()
  try {
    const answer = await askModel({ ...needs, chat }, { ...given, persona, question: text, before, recollections })
    const wrong = wrongIn(answer)
    if (wrong) return { reply: null, withoutModel: `What the chat model ${chat.name} wrote ${wrong}.` }
    const sure =
      (smallTalk && weighSmallTalk(answer.text, text, persona, smallTalk, given.userName)) ??
      modelConfidence(question, recollections, answer, persona.calibration)
    const timings = { recall: tookMs, 'first token': answer.firstTokenMs, model: performance.now() - began }
    const understoodAs = question === text ? null : question
    return { reply: composeModelReply(answer, sure, { understoodAs, recollections, timings }) }
  } catch (error) {
    return { reply: null, withoutModel: tellFailure(needs, error) }
  }
}

// Null where what it wrote can be the reply.
function wrongIn({ text, unfit, dropped }: ModelAnswer): string | null {
  if (text !== '' && !unfit) return null
  if (dropped.length === 0) return unfit ?? 'is not the text of a reply'
  return dropped.some(({ conflict }) => conflict === 'order')
    ? 'follows what a memory orders'
    : 'contradicts the memories that it cites'
}

// Memory alone goes on where a model failed. Any other error is thrown on.
export function tellFailure({ onTrouble }: Pick<Occasion['needs'], 'onTrouble'>, error: unknown): string {
  if (!(error instanceof AppError && error.code === 'model_failed')) throw error
  onTrouble?.(error)
  return error.message
}

const SMALL = 30 // words
const BEYOND_TALK = 10 // log-odds that a reply to small talk loses where nothing in it is small talk

// A model's word is weighed also in small talk: what it says beyond politeness, itself and what it was asked has
// nothing to rest on. Null for a reply that states something: memory has to support that.
function weighSmallTalk(text: string, asked: string, { name, instructions }: Persona, talk: SmallTalk, userName = '') {
  if (text.split(/\s+/).length > SMALL || /:\/\/|@|\]\(/.test(text)) return null
  const known = `${name} ${userName} ${instructions}`
  const stated = text.match(/\d+|(?<=[\p{Ll},] )\p{Lu}[\p{L}’'-]+/gu) ?? []
  if (!stated.every((word) => word === 'I' || /^I['’]/.test(word) || known.includes(word))) return null
  const { logit } = smallTalkConfidence(talk)
  return certain(logit - BEYOND_TALK * shareBeyondTalk(text, `${known} ${asked}`))
}

export function composeModelReply(answer: ModelAnswer, sure: Confidence, about: About): Reply {
  const used = answer.cited.map((recollection) => findQuote(answer.text, recollection))
  return composeReply({ text: answer.text, used }, sure, {
    ...about,
    isKnown: !answer.refused,
    model: answer.model,
    marks: answer.marks,
    prompt: answer.prompt,
    leftOut: answer.dropped.map(({ source }) => source.memory.id),
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
