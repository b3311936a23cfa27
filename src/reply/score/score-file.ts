// The shipped score: weights of its features and the curves it was measured with, made by training/score.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import modelFile from '../../../weights/score/model.json' with { type: 'json' }
import file from '../../../weights/score/score.json' with { type: 'json' }
import type { Bin, Point } from './curves.ts'

// A feature counts as weight × (value − mean) / deviation.
export type Weights = { bias: number; features: Record<string, { weight: number; mean: number; deviation: number }> }

export type ScoreFile = {
  read: Weights // where a reader read the memories
  unread: Weights // where it did not
  answers_from: number // percent: what scores less is not given as an answer where nothing was read
  curves: { reliability: Bin[]; risk_coverage: Point[] }
}

export const shipped: ScoreFile = file as ScoreFile

// Of a chat model's answer: where a reader held its sentences to memory, and where none did.
export const modelScore: { held: Weights; unheld: Weights } = modelFile

// Of the shipped score, on public questions that it was not fitted on.
export const shippedCurves: ScoreFile['curves'] = shipped.curves

// Names the reader and the score in use: what was fitted to the scores of others does not fit these.
export const scorer: string = createHash('sha256')
  .update(readFileSync(new URL('../../../weights/reader/SHA256SUMS', import.meta.url)))
  .update(JSON.stringify([file, modelFile]))
  .digest('hex')
  .slice(0, 12)
