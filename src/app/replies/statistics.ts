// Replies day by day: how many, how sure, how quick, how many withheld.
import type { Spent } from '../../domain/chat-model.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import { presentSpent } from './present.ts'

export async function statistics({ store }: { store: Store }, persona: Persona, days: number) {
  const all = lastDays(days, new Date())
  const since = new Date(all[0]!)
  const figures = await store.replies.figures(persona.id, since, limits.statisticsReplies)
  const byDay = Map.groupBy(figures, ({ createdAt }) => dayOf(createdAt))
  return all.map((day) => {
    const own = byDay.get(day) ?? []
    return {
      day,
      replies: own.length,
      answered: own.filter(({ decision }) => decision === 'sent').length,
      withheld: own.filter(({ decision }) => decision === 'withheld').length,
      approved: own.filter(({ label }) => label === 'right').length,
      score: median(own.map(({ score }) => score)),
      took_ms: median(own.map(({ tookMs }) => tookMs)),
      slow_ms: slowest(own.map(({ tookMs }) => tookMs)),
      spent: presentSpent(sum(own.flatMap(({ spent }) => spent ?? []))),
    }
  })
}

// Two currencies do not add up: what counts is the one of the newest reply that had a price.
function sum(all: Spent[]): Spent | null {
  if (all.length === 0) return null
  const currency = all.find((one) => one.currency !== null)?.currency ?? null
  const priced = all.filter((one) => one.cost !== null && one.currency === currency)
  return {
    promptTokens: all.reduce((total, { promptTokens }) => total + promptTokens, 0),
    answerTokens: all.reduce((total, { answerTokens }) => total + answerTokens, 0),
    cost: currency === null ? null : priced.reduce((total, { cost }) => total + cost!, 0),
    currency,
  }
}

const DAY_MS = 86_400_000

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

const lastDays = (days: number, now: Date): string[] =>
  Array.from({ length: days }, (_, at) => dayOf(new Date(now.getTime() - (days - 1 - at) * DAY_MS)))

// What 95 of 100 took at most.
const slowest = (values: number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? null

function median(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
