// The score: its curves, and what an owner's verdicts make of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceIn } from '../evidence/evidence.ts'
import { recollection } from '../test-recollection.ts'
import { applyCalibration, calibrate } from './calibrate.ts'
import { certain, confidence } from './confidence.ts'
import { auroc, brier, calibrationError, reliability, riskCoverage } from './curves.ts'
import { featuresOf } from './features.ts'
import { scorer, shipped } from './score-file.ts'

const judged = (...pairs: [number, boolean][]) => pairs.map(([score, right]) => ({ score, right }))

test('AUROC counts pairs in the right order, ties for half', () => {
  assert.equal(auroc(judged([10, false], [20, true], [30, true])), 1)
  assert.equal(auroc(judged([10, true], [20, false])), 0)
  assert.equal(auroc(judged([10, true], [10, false])), 0.5)
})

test('a score that says what is so has no calibration error', () => {
  const honest = Array.from({ length: 100 }, (_, at) => ({ score: 80, right: at % 5 !== 0 }))
  assert.ok(calibrationError(honest, 1) < 1e-9)
  assert.ok(Math.abs(brier(honest) - 0.16) < 1e-9)
  assert.ok(
    Math.abs(
      calibrationError(
        honest.map((one) => ({ ...one, score: 100 })),
        1,
      ) - 0.2,
    ) < 1e-9,
  )
  assert.equal(reliability(honest, 4).length, 4)
})

test('the risk–coverage curve ends with everything answered', () => {
  const points = riskCoverage(judged([90, true], [80, true], [70, false], [60, false]))
  assert.deepEqual(points.at(-1), { score: 60, coverage: 1, risk: 0.5 })
  assert.equal(points[0]?.risk, 0)
})

// Replies of a persona whose score is far too sure: right as often as half the log-odds say, less one.
const verdicts = Array.from({ length: 200 }, (_, at) => {
  const logit = ((at * 7919) % 800) / 100 - 4
  const probability = 1 / (1 + Math.exp(-(0.5 * logit - 1)))
  return { logit, right: (at * 104729) % 1000 < 1000 * probability }
})

test("an owner's verdicts move the score towards what is so, and it is better on those held out", () => {
  const { calibration, changed, before, after } = calibrate(verdicts, null, new Date(0))
  assert.equal(changed, true)
  assert.ok(
    Math.abs(calibration!.slope - 0.5) < 0.2 && Math.abs(calibration!.shift + 1) < 0.4,
    JSON.stringify(calibration),
  )
  assert.ok(after!.brier < before!.brier && after!.calibration_error < before!.calibration_error)
  assert.ok(applyCalibration(2, calibration) < 1)
})

test('where what scored highest is mostly wrong, the fit still ends', () => {
  // Of twenty at 96 a quarter were right, of ten at 1 none.
  const sure = Array.from({ length: 20 }, (_, at) => ({ logit: 3.15, right: at % 4 === 0 }))
  const outcome = calibrate(
    [...sure, ...sure.slice(0, 10).map(() => ({ logit: -4.6, right: false }))],
    null,
    new Date(0),
  )
  assert.equal(outcome.changed, true)
  const level = 1 / (1 + Math.exp(-applyCalibration(3.15, outcome.calibration)))
  assert.ok(level > 0.15 && level < 0.4, String(level))
})

test('too few verdicts, or all of one kind, change nothing and say what is missing', () => {
  for (const few of [verdicts.slice(0, 10), verdicts.map((one) => ({ ...one, right: true }))]) {
    const outcome = calibrate(few, null, new Date())
    assert.equal(outcome.changed, false)
    assert.match(outcome.note, /are needed/)
  }
})

test('the same answer says less among more memories, and among few no more than among fifteen', () => {
  const text = 'The kiln was rebuilt by Osman Farrell.'
  const place = { start: 24, end: 37 }
  const source = { ...recollection(text), reading: { ...place, answerable: 0.9, relevant: 0.9, span: 6 } }
  const evidence = evidenceIn({ question: 'Who rebuilt the kiln?' }, [source])
  const among = (memories: number) =>
    confidence(featuresOf('Who rebuilt the kiln?', [source], evidence, memories), null).score
  assert.ok(among(150) < among(30) && among(1500) < among(150), [30, 150, 1500].map(among).join())
  assert.deepEqual([among(1), among(1_000_000)], [among(15), among(1500)])
})

test('the parts of a score add up to it', () => {
  const features = Object.fromEntries(
    Object.entries(shipped.read.features).map(([name, { mean }]) => [name, mean + 0.1]),
  )
  const { logit, parts, score } = confidence({ isRead: true, features }, null)
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.contribution, 0) - logit) < 1e-9)
  assert.ok(Math.abs(score - 100 / (1 + Math.exp(-logit))) <= 0.05)
  const own = confidence({ isRead: true, features }, { slope: 0.5, shift: -1, labels: 40, at: '', scorer })
  assert.ok(own.score < score)
  assert.equal(own.logit, logit, 'a later fit starts from the shipped score')
})

test('nothing found is hardly ever right', () => {
  assert.ok(confidence({ isRead: true, features: {} }, null).score <= 1)
  assert.ok(certain(4).score > 95)
})

test('the shipped weights point the right way', () => {
  const surer = (features: Record<string, number>) => confidence({ isRead: true, features }, null).logit
  assert.ok(surer({ answerable: 5, span: 4 }) > surer({ answerable: -5, span: -4 }))
  assert.ok(shipped.curves.reliability.length >= 5 && shipped.curves.risk_coverage.length > 10)
})
