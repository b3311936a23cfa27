// How likely a chat model's answer is right and supported: what memory promises for the question, moved by how the
// answer keeps to it.
import type { Recollection } from '../../domain/memory.ts'
import type { Calibration } from '../../domain/persona.ts'
import type { ScorePart } from '../../domain/reply.ts'
import { evidenceIn } from '../evidence/evidence.ts'
import type { ModelAnswer } from '../model/ask-model.ts'
import { type Confidence, confidence } from './confidence.ts'
import { featuresOf } from './features.ts'

export function modelConfidence(
  question: string,
  recollections: Recollection[],
  answer: ModelAnswer,
  calibration: Calibration | null,
): Confidence {
  const evidence = evidenceIn({ question }, answer.cited.length > 0 ? answer.cited : recollections)
  const promised = featuresOf(question, recollections, evidence)
  return confidence(promised, calibration, (logit) => adjust(logit, answer))
}

// Log-odds, chosen by hand: each model is sure in its own way, and what an owner labels teaches the rest.
const UNSUPPORTED = 4 // all that the answer states is in no memory
const OWN_WORDS = 0.15 // share of them that anyone may use who repeats something
const NOT_CITED = 1.5
const WRONG_CITATION = 0.7
const MISSING_FACT = 0.8 // a number or a name
const HOLDS_SPAN = 0.7 // what the reader found stands in the answer
const LACKS_SPAN = -0.3
const CUT_OFF = 0.5
const USUAL_LOGPROB = -0.3
const MOST_COUNTED = 3

// Whatever the tone: no more than these.
const NO_ANSWER_AT_MOST = -1.5
const UNSUPPORTED_AT_MOST = -1.5
const UNSUPPORTED_BELOW = 0.5 // share of what is stated

function adjust(logit: number, answer: ModelAnswer): ScorePart[] {
  const { support, read, logprob } = answer
  const share = support.share ?? 1
  const missing = support.missingNumbers + support.missingNames
  const parts: ScorePart[] = [
    { name: 'supported', value: share, contribution: -UNSUPPORTED * excess(1 - share) },
    part('missing facts', missing, -MISSING_FACT),
    part('wrong citations', answer.wrongCitations, -WRONG_CITATION),
    part('not cited', Number(answer.cited.length === 0), -NOT_CITED),
    part('cut off', Number(!answer.isWhole), -CUT_OFF),
  ]
  if (read)
    parts.push({
      name: 'holds span',
      value: Number(read.holdsSpan),
      contribution: read.holdsSpan ? HOLDS_SPAN : LACKS_SPAN,
    })
  if (logprob !== null) {
    const contribution = Math.min(0.3, Math.max(-1.5, 1.5 * (logprob - USUAL_LOGPROB)))
    parts.push({ name: 'log-probability', value: logprob, contribution })
  }
  const sum = parts.reduce((all, one) => all + one.contribution, logit)
  const most = answer.refused
    ? NO_ANSWER_AT_MOST
    : share < UNSUPPORTED_BELOW
      ? UNSUPPORTED_AT_MOST
      : Number.POSITIVE_INFINITY
  const name = answer.refused ? 'says it has no answer' : 'not supported'
  return sum > most ? [...parts, { name, value: 1, contribution: most - sum }] : parts
}

const excess = (missing: number): number => Math.max(0, missing - OWN_WORDS) / (1 - OWN_WORDS)

const part = (name: string, value: number, weight: number): ScorePart => ({
  name,
  value,
  contribution: weight * Math.min(value, MOST_COUNTED) || 0,
})
