// What many requests come to: percentiles, shares, and the slope of a line with its uncertainty.
import { isRefused, type Outcome } from './loops.ts'

export type Figures = {
  offered: number
  accepted: number
  refused: number
  told: number // of the refused, those told when to come back
  failed: number
  ms: { median: number; p95: number; p99: number }
}

export function figuresOf(outcomes: Outcome[]): Figures {
  const accepted = outcomes.filter(({ status }) => status === 200)
  const refused = outcomes.filter(isRefused)
  return {
    offered: outcomes.length,
    accepted: accepted.length,
    refused: refused.length,
    told: refused.filter(({ hasRetryAfter }) => hasRetryAfter).length,
    failed: outcomes.length - accepted.length - refused.length,
    ms: percentiles(accepted.map(({ ms }) => ms)),
  }
}

function percentiles(all: number[]): Figures['ms'] {
  const sorted = all.toSorted((one, two) => one - two)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export type Point = { x: number; y: number }

// Least squares; `plusMinus` is twice the standard error: about 19 times in 20 the true slope lies within.
export function slopeOf(points: Point[]): { slope: number; plusMinus: number } {
  const mean = (of: keyof Point) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean('x'), mean('y')]
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  const slope = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread
  const left = points.reduce((sum, point) => sum + (point.y - y - slope * (point.x - x)) ** 2, 0)
  return { slope, plusMinus: 2 * Math.sqrt(left / Math.max(1, points.length - 2) / spread) }
}
