// A reply that a chat model writes: recall, ask it, weigh what it wrote; what it fails at is left to memory alone.
import { AppError } from '../domain/errors.ts'
import { limits } from '../domain/limits.ts'
import type { Recollection } from '../domain/memory.ts'
import type { Persona } from '../domain/persona.ts'
import type { ChatModel } from '../ports/models.ts'
import { completed } from '../recall/question.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { askModel, type ModelAnswer } from './ask-model.ts'
import { type Confidence, certain } from './confidence.ts'
import { covered, type Evidence, stems } from './evidence.ts'
import { modelConfidence } from './model-confidence.ts'
import { type Asked, kept, type Reply } from './reply.ts'
import { sentenceRanges } from './sentences.ts'

// Undefined where the model failed: `onTrouble` was told. `talk` is how sure a reply is that needs no memory.
export async function modelReply(
  needs: RecallNeeds & { chat: ChatModel },
  persona: Persona,
  asked: Asked,
  talk: number | null,
): Promise<Reply | undefined> {
  const { text, documentIds, before = [] } = asked
  const began = performance.now()
  const size = limits.promptRecollections
  const recollections = talk === null ? await recall(needs, persona, text, { documentIds, before, size }) : []
  const recalled = performance.now()
  const question = completed(text, before)
  try {
    const answer = await askModel(needs, { ...asked, persona, question: text, before, recollections })
    const sure = talk === null ? modelConfidence(question, recollections, answer, persona.calibration) : certain(talk)
    const timings = { recall: recalled - began, model: performance.now() - recalled }
    return written(answer, sure, { understoodAs: question === text ? null : question, recollections, timings })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'model_failed')) throw error
    needs.onTrouble?.(error)
    return undefined
  }
}

type About = { understoodAs: string | null; recollections: Recollection[]; timings: Record<string, number> }

export function written(answer: ModelAnswer, sure: Confidence, about: About): Reply {
  const used = answer.cited.map((recollection) => behind(answer.text, recollection))
  return kept({ text: answer.text, used }, sure, { ...about, model: answer.model, prompt: answer.prompt })
}

// The sentence of a cited memory that the answer shares most with.
function behind(answer: string, recollection: Recollection): Evidence {
  const passage = recollection.memory.text
  const weights = new Map(stems(answer).map((word) => [word, 1]))
  const [best = { start: 0, end: passage.length }] = sentenceRanges(passage)
    .map((range) => ({ ...range, share: covered(weights, passage.slice(range.start, range.end)) }))
    .sort((one, two) => two.share - one.share)
  const sentence = { start: best.start, end: best.end }
  return { recollection, rank: 0, passage, answer: sentence, sentence, strength: 0, isRead: false }
}
