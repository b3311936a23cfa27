// How likely a reply is right and supported by memory: a weighted sum of what was seen, in log-odds, as fitted on
// public questions.
import type { Calibration } from '../../domain/persona.ts'
import type { ScorePart } from '../../domain/reply.ts'
import { logOdds } from '../evidence/evidence.ts'
import { applyCalibration, percent } from './calibrate.ts'
import type { Features } from './features.ts'
import { shipped, type Weights } from './score-file.ts'

export type Confidence = { score: number; logit: number; parts: ScorePart[] }

const NOTHING_FOUND = -4.6 // one in a hundred

export type Scored = { isRead: boolean; features: Features }

export function confidence({ isRead, features }: Scored, calibration: Calibration | null): Confidence {
  const parts =
    Object.keys(features).length === 0
      ? [base(NOTHING_FOUND)]
      : partsOf(isRead ? shipped.read : shipped.unread, features)
  return confidenceOf(parts, calibration)
}

// Whether memory holds an answer at all: where it is about as likely right as wrong, and where the reader says so. The
// score also weighs whether it is all that one wanted to hear, and so is lower for lists and summaries. Where nothing
// was read, it decides alone.
export function isHeld({ isRead, features }: Scored, { score }: Pick<Confidence, 'score'>): boolean {
  if (!isRead) return score >= shipped.answers_from
  const isAbout = features.relevant! >= logOdds(ABOUT)
  if (score >= LIKELY || (isAbout && (features.exact === 1 || features.titled === 1))) return true
  const isGathered = features.list === 1 || features.summary === 1
  if (features.answerable! >= logOdds(isGathered ? GATHERED : ANSWERED)) return true
  // The reader is in doubt of it, but it is just what was asked about, and nothing else comes near.
  const isAlone = features.relevant! >= logOdds(JUST_ABOUT) && features.lead! >= AHEAD
  if (isAlone && features.answerable! >= logOdds(RATHER_NOT)) return true
  // "How do I add a PDF?" where a sentence says just that.
  return isAbout && features.sentence! >= NAMED && features.answerable! >= logOdds(DOUBTED)
}

const LIKELY = 50 // percent
const ANSWERED = 0.8 // answerability, which people who ask what nobody can know seldom reach
const NAMED = 0.8 // of the question's words, by their weight, in the sentence of the answer
const ABOUT = 0.8 // relevance
const DOUBTED = 0.25 // answerability
const JUST_ABOUT = 0.96 // relevance
const AHEAD = 3 // in log-odds, of the next answer
const RATHER_NOT = 0.18 // answerability
const GATHERED = 0.15 // of the best of several memories that are told together

// Of a reply that says it does not know: less than of the answer that was not given, since nobody is helped by it.
export const deny = ({ parts }: Confidence, calibration: Calibration | null): Confidence =>
  confidenceOf([...parts.filter(({ name }) => name !== VERDICTS), DENIED], calibration)

const VERDICTS = 'own verdicts'
const DENIED: ScorePart = { name: 'denied', value: 1, contribution: -1.5 }

export const confidenceOf = (parts: ScorePart[], calibration: Calibration | null): Confidence =>
  score(sum(parts), parts, calibration)

// A reply that needs no weighing, such as thanks returned.
export const certain = (logit: number, calibration: Calibration | null = null): Confidence =>
  score(logit, [base(logit)], calibration)

const base = (contribution: number): ScorePart => ({ name: 'base', value: 1, contribution })
const sum = (parts: ScorePart[]): number => parts.reduce((all, { contribution }) => all + contribution, 0)

function score(logit: number, parts: ScorePart[], calibration: Calibration | null): Confidence {
  const own = applyCalibration(logit, calibration)
  const taught = calibration ? [{ name: VERDICTS, value: calibration.labels, contribution: own - logit }] : []
  return { score: percent(own), logit, parts: [...parts, ...taught] }
}

export function partsOf({ bias, features: weights }: Weights, features: Features): ScorePart[] {
  const parts = Object.entries(weights).map(([name, { weight, mean, deviation }]) => {
    const value = features[name] ?? mean
    return { name, value, contribution: (weight * (value - mean)) / deviation }
  })
  return [base(bias), ...parts]
}
