// A reply that a chat model writes: recall, ask it, weigh what it wrote; what it fails at is left to memory alone.
import { AppError } from '../../domain/errors.ts'
import { limits } from '../../domain/limits.ts'
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { sentenceRanges } from '../../language/sentences.ts'
import type { SmallTalk } from '../../language/small-talk.ts'
import { completed } from '../../language/understand.ts'
import { recall } from '../../recall/recall.ts'
import { type About, kept, type Reply } from '../compose.ts'
import { covered, type Evidence, placeIn, stems } from '../evidence/evidence.ts'
import type { Asked, ReplyNeeds } from '../reply.ts'
import type { Confidence } from '../score/confidence.ts'
import { modelConfidence } from '../score/model-confidence.ts'
import { askModel, type ModelAnswer } from './ask-model.ts'

// Null where there is no model, and where it failed: `onTrouble` was told.
export async function modelReply(
  { chat, ...needs }: ReplyNeeds,
  persona: Persona,
  asked: Asked,
  talk: SmallTalk | null,
): Promise<Reply | null> {
  if (!chat) return null
  const { text, documentIds, before = [] } = asked
  const began = performance.now()
  const size = limits.promptRecollections
  const recollections = isGreeting(talk) ? [] : await recall(needs, persona, text, { documentIds, before, size })
  const recalled = performance.now()
  const question = completed(text, before)
  try {
    const answer = await askModel({ chat }, { ...asked, persona, question: text, before, recollections })
    const sure = talk?.sure ?? modelConfidence(question, recollections, answer, persona.calibration)
    const timings = { recall: recalled - began, model: performance.now() - recalled }
    return written(answer, sure, { understoodAs: question === text ? null : question, recollections, timings })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'model_failed')) throw error
    needs.onTrouble?.(error)
    return null
  }
}

const isGreeting = (talk: SmallTalk | null): boolean => talk !== null && !talk.isAboutSelf

export function written(answer: ModelAnswer, sure: Confidence, about: About): Reply {
  const used = answer.cited.map((recollection) => behind(answer.text, recollection))
  return kept({ text: answer.text, used }, sure, {
    ...about,
    isKnown: !answer.refused,
    model: answer.model,
    prompt: answer.prompt,
  })
}

// The sentence of a cited memory that the answer shares most with.
function behind(answer: string, recollection: Recollection): Evidence {
  const passage = recollection.memory.text
  const weights = new Map(stems(answer).map((word) => [word, 1]))
  const [best = { start: 0, end: passage.length }] = sentenceRanges(passage)
    .map((range) => ({ ...range, share: covered(weights, passage.slice(range.start, range.end)) }))
    .sort((one, two) => two.share - one.share)
  return placeIn(recollection, { start: best.start, end: best.end })
}
