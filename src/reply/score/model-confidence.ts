// How likely a chat model's answer is right and supported: what memory promises for the question, and how each sentence
// is borne out by the memories it cites, as fitted on answers made right and wrong on purpose.
import type { Recollection } from '../../domain/memory.ts'
import type { Calibration } from '../../domain/persona.ts'
import type { ScorePart } from '../../domain/reply.ts'
import { evidenceIn, logOdds } from '../evidence/evidence.ts'
import type { Weighed } from '../model/ask-model.ts'
import { type Confidence, confidence, confidenceOf, partsOf } from './confidence.ts'
import { type Features, featuresOf } from './features.ts'
import { modelScore } from './score-file.ts'

export function modelConfidence(
  question: string,
  recollections: Recollection[],
  answer: Weighed,
  calibration: Calibration | null,
): Confidence {
  const { isHeld, features } = modelFeatures(question, recollections, answer)
  const fitted = partsOf(isHeld ? modelScore.held : modelScore.unheld, features)
  return confidenceOf(bound([...fitted, ...chosen(answer)], answer), calibration)
}

const AT_MOST = 6 // log-odds: a surer reading is not more true
const MOST_COUNTED = 3

export function modelFeatures(
  question: string,
  recollections: Recollection[],
  answer: Weighed,
): { isHeld: boolean; features: Features } {
  const { held, support, read, cited } = answer
  const evidence = evidenceIn({ question }, cited.length > 0 ? cited : recollections)
  const { logit } = confidence(featuresOf(question, recollections, evidence), null)
  const shared = {
    promised: clamp(logit),
    supported: support.share ?? 1,
    'missing facts': Math.min(MOST_COUNTED, support.missingNumbers + support.missingNames),
    'wrong citations': Math.min(MOST_COUNTED, answer.wrongCitations),
    'not cited': Number(cited.length === 0),
    'told otherwise': held.filter(({ conflict }) => conflict !== null && conflict !== 'order').length,
    'holds span': Number(read?.holdsSpan ?? false),
    ...(read && { 'on the question': clamp(logOdds(read.relevant)) }),
  }
  const read3 = held.flatMap(({ entailment }) => entailment ?? [])
  if (read3.length === 0) return { isHeld: false, features: shared }
  const features = {
    ...shared,
    'borne out': Math.min(...read3.map((one) => clamp(logOdds(one.supported)))),
    contradicted: Math.max(...read3.map((one) => clamp(logOdds(one.contradicted)))),
  }
  return { isHeld: true, features }
}

// In no made answer, and so chosen by hand: each model is sure in its own way.
const CUT_OFF = -0.5
const USUAL_LOGPROB = -0.3

function chosen({ isWhole, logprob }: Weighed): ScorePart[] {
  const cutOff = { name: 'cut off', value: Number(!isWhole), contribution: isWhole ? 0 : CUT_OFF }
  if (logprob === null) return [cutOff]
  const contribution = Math.min(0.3, Math.max(-1.5, 1.5 * (logprob - USUAL_LOGPROB)))
  return [cutOff, { name: 'log-probability', value: logprob, contribution }]
}

// Whatever the tone: no more than these.
const NO_ANSWER_AT_MOST = -1.5
const CONTRADICTED_AT_MOST = -1.1 // a quarter
const DIFFERS_AT_MOST = -0.7 // a third: an exact check says so, and the reader does not
const UNSUPPORTED_AT_MOST = -1.5
const UNSUPPORTED_BELOW = 0.5 // share of what is stated

function bound(parts: ScorePart[], { refused, held, support }: Weighed): ScorePart[] {
  const sum = parts.reduce((all, one) => all + one.contribution, 0)
  const isHeldAs = (isSo: (one: Weighed['held'][number]) => boolean) => held.some(isSo)
  const bounds: [string, boolean, number][] = [
    ['says it has no answer', refused, NO_ANSWER_AT_MOST],
    ['contradicts memory', isHeldAs(({ verdict }) => verdict === 'contradicted'), CONTRADICTED_AT_MOST],
    ['orders', isHeldAs(({ conflict }) => conflict === 'order'), UNSUPPORTED_AT_MOST],
    ['not supported', (support.share ?? 1) < UNSUPPORTED_BELOW, UNSUPPORTED_AT_MOST],
    ['differs from memory', isHeldAs(({ conflict }) => conflict !== null), DIFFERS_AT_MOST],
  ]
  const [name, , most] = bounds.find(([, isSo]) => isSo) ?? ['', false, Number.POSITIVE_INFINITY]
  return sum > most ? [...parts, { name, value: 1, contribution: most - sum }] : parts
}

const clamp = (value: number): number => Math.min(AT_MOST, Math.max(-AT_MOST, value))
