// The score of one persona, fitted to its owner's verdicts: two numbers over the shipped log-odds, held near them while
// verdicts are few.
import type { Calibration } from '../../domain/persona.ts'
import { brier, calibrationError, type Judged } from './curves.ts'
import { scorer } from './score-file.ts'

export type Verdict = { logit: number; right: boolean }
export type Quality = { brier: number; calibration_error: number }
export type Outcome = {
  calibration: Calibration | null
  changed: boolean
  note: string
  before: Quality | null
  after: Quality | null
}

const LEAST = 20
const LEAST_OF_EACH = 4
const FOLDS = 5
const STEPS = 200
const MOST_CURVED = 1 / 4
const NEARNESS = 2 // how much a prior verdict's worth of trust the shipped score keeps
const QUALITY_BINS = 5

export const isEnough = (judged: { right: boolean }[]): boolean => {
  const rights = judged.filter(({ right }) => right).length
  return judged.length >= LEAST && rights >= LEAST_OF_EACH && judged.length - rights >= LEAST_OF_EACH
}

export function calibrate(verdicts: Verdict[], current: Calibration | null, at: Date): Outcome {
  if (!isEnough(verdicts)) {
    const note =
      `There are ${verdicts.length} verdicts; at least ${LEAST} are needed, ` +
      `${LEAST_OF_EACH} right and ${LEAST_OF_EACH} wrong ones among them. ` +
      'Approve or reject drafts, or mark replies as right or wrong.'
    return { calibration: current, changed: false, note, before: null, after: null }
  }
  // Against the shipped score, which has seen none of them: the one in use was fitted to most of these verdicts.
  const before = quality(verdicts.map((verdict) => judge(verdict, null)))
  const after = quality(heldOut(verdicts))
  if (after.brier >= before.brier) {
    const note = 'The score stays as it is: fitted to the verdicts it would not be better on those held out of the fit.'
    return { calibration: current, changed: false, note, before, after }
  }
  const calibration = { ...fit(verdicts), labels: verdicts.length, at: at.toISOString(), scorer }
  return { calibration, changed: true, note: 'The score now follows the verdicts of its owner.', before, after }
}

// Fitted to the scores of another reader, it says nothing of these.
export const isOutdated = (calibration: Calibration | null): boolean =>
  calibration !== null && calibration.scorer !== scorer

export const applyCalibration = (logit: number, calibration: Calibration | null): number =>
  calibration && !isOutdated(calibration) ? calibration.slope * logit + calibration.shift : logit

export const percent = (logit: number): number => Math.round(1000 / (1 + Math.exp(-logit))) / 10

const judge = ({ logit, right }: Verdict, calibration: Calibration | null): Judged => ({
  score: 100 / (1 + Math.exp(-applyCalibration(logit, calibration))),
  right,
})

// Each verdict judged by a fit that did not see it.
function heldOut(verdicts: Verdict[]): Judged[] {
  return verdicts.map((verdict, at) => {
    const rest = verdicts.filter((_, other) => other % FOLDS !== at % FOLDS)
    return judge(verdict, { ...fit(rest), labels: 0, at: '', scorer })
  })
}

// The log-likelihood, with slope 1 and shift 0 as the prior, climbed in steps that never overshoot: its curvature is
// taken for the most it can be. Newton's own steps run away where what scored highest is mostly wrong.
function fit(verdicts: Verdict[]): { slope: number; shift: number } {
  let [slope, shift] = [1, 0]
  for (let step = 0; step < STEPS; step++) {
    let [gradientSlope, gradientShift] = [NEARNESS * (slope - 1), NEARNESS * shift]
    let [ss, st, tt] = [NEARNESS, 0, NEARNESS]
    for (const { logit, right } of verdicts) {
      const probability = 1 / (1 + Math.exp(-(slope * logit + shift)))
      const error = probability - Number(right)
      gradientSlope += error * logit
      gradientShift += error
      ss += MOST_CURVED * logit * logit
      st += MOST_CURVED * logit
      tt += MOST_CURVED
    }
    const determinant = ss * tt - st * st
    slope -= (tt * gradientSlope - st * gradientShift) / determinant
    shift -= (ss * gradientShift - st * gradientSlope) / determinant
  }
  // A negative slope would call the surest replies the worst: then only the level is believed.
  return slope > 0 ? { slope, shift } : { slope: 0.05, shift }
}

const quality = (judged: Judged[]): Quality => ({
  brier: brier(judged),
  calibration_error: calibrationError(judged, QUALITY_BINS),
})
