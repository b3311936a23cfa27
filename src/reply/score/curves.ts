// Two curves that show how far scores can be trusted: what they say against what is right, and what a threshold costs.

export type Judged = { score: number; right: boolean } // 0–100
export type Bin = { from: number; to: number; said: number; right: number; count: number } // in percent
export type Point = { score: number; coverage: number; risk: number }

const BINS = 10
const POINTS = 100

// Bins of equal count, so that every one says equally much.
export function reliability(judged: Judged[], bins = BINS): Bin[] {
  const sorted = judged.toSorted((one, two) => one.score - two.score)
  const count = Math.min(bins, sorted.length)
  return Array.from({ length: count }, (_, at) => {
    const part = sorted.slice(Math.floor((at * sorted.length) / count), Math.floor(((at + 1) * sorted.length) / count))
    return {
      from: part[0]!.score,
      to: part.at(-1)!.score,
      said: mean(part.map(({ score }) => score)),
      right: 100 * mean(part.map(({ right }) => Number(right))),
      count: part.length,
    }
  })
}

// The mean distance of what is said from what is right, 0–1.
export function calibrationError(judged: Judged[], bins = BINS): number {
  const parts = reliability(judged, bins)
  return parts.reduce((sum, { said, right, count }) => sum + (Math.abs(said - right) / 100) * count, 0) / judged.length
}

export const brier = (judged: Judged[]): number =>
  mean(judged.map(({ score, right }) => (score / 100 - Number(right)) ** 2))

// With each threshold: the share of questions answered, and of wrong ones among them.
export function riskCoverage(judged: Judged[]): Point[] {
  const sorted = judged.toSorted((one, two) => two.score - one.score)
  const points: Point[] = []
  let wrong = 0
  sorted.forEach(({ score, right }, at) => {
    if (!right) wrong++
    if (sorted[at + 1]?.score !== score)
      points.push({ score, coverage: (at + 1) / sorted.length, risk: wrong / (at + 1) })
  })
  const step = Math.max(1, Math.ceil(points.length / POINTS))
  return points.filter((_, at) => at % step === 0 || at === points.length - 1)
}

// How often a right one scores higher than a wrong one; 0.5 is chance.
export function auroc(judged: Judged[]): number {
  const sorted = judged.toSorted((one, two) => one.score - two.score)
  let [rankSum, rights] = [0, 0]
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to++
    for (let at = from; at < to; at++)
      if (sorted[at]!.right) {
        rankSum += (from + to + 1) / 2
        rights++
      }
    from = to
  }
  const wrongs = sorted.length - rights
  return rights === 0 || wrongs === 0 ? Number.NaN : (rankSum - (rights * (rights + 1)) / 2) / (rights * wrongs)
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
