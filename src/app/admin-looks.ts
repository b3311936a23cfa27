// The owner looks through what was said and remembered, at figures day by day, and tries out another voice.
import type { Admin } from '../contract/admin-api.ts'
import { AppError } from '../domain/errors.ts'
import { parseTime } from '../domain/time.ts'
import { understand } from '../language/language.ts'
import { reply } from '../reply/reply.ts'
import { type AdminNeeds, nextOf, personaNamed } from './admin.ts'
import { presentMessage, presentRecollection } from './present.ts'

export function adminLooks(needs: AdminNeeds): Pick<Admin, 'searchMessages' | 'timeline' | 'statistics' | 'preview'> {
  const { store } = needs
  return {
    async searchMessages({ domain_name, text, limit, before }) {
      const persona = await personaNamed(needs, domain_name)
      const found = await store.conversations.search(persona.id, text, { limit: Number(limit), before })
      const messages = found.map((message) => ({ ...presentMessage(message), session_id: message.sessionId }))
      return { messages, next: nextOf(messages, Number(limit)) }
    },

    async timeline({ domain_name, until, limit, before }) {
      const persona = await personaNamed(needs, domain_name)
      const page = { limit: Number(limit), before, until: until === undefined ? undefined : parseTime(until) }
      const memories = (await store.memories.timeline(persona.id, page)).map((one) => ({
        ...presentRecollection(one),
        kind: one.kind,
        is_draft: one.isDraft,
      }))
      return { memories, next: nextOf(memories, page.limit) }
    },

    async statistics({ domain_name, days }) {
      const persona = await personaNamed(needs, domain_name)
      const all = lastDays(Number(days), new Date())
      const since = new Date(all[0]!)
      const figures = await store.replies.figures(persona.id, since, needs.limits.statisticsReplies)
      const byDay = Map.groupBy(figures, ({ createdAt }) => dayOf(createdAt))
      return {
        days: all.map((day) => {
          const own = byDay.get(day) ?? []
          return {
            day,
            replies: own.length,
            withheld: own.filter(({ decision }) => decision === 'withheld').length,
            score: median(own.map(({ score }) => score)),
            took_ms: median(own.map(({ tookMs }) => tookMs)),
          }
        }),
      }
    },

    async preview({ domain_name, question, instructions }) {
      const persona = await personaNamed(needs, domain_name)
      if (question.trim() === '') throw new AppError('invalid', 'question is empty.')
      const other = { ...persona, instructions: instructions ?? '' }
      const { text, score } = await reply({ ...needs, chat: needs.chatFor(other) }, other, {
        message: understand(question),
      })
      return { text, score }
    },
  }
}

const DAY_MS = 86_400_000

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

const lastDays = (days: number, now: Date): string[] =>
  Array.from({ length: days }, (_, at) => dayOf(new Date(now.getTime() - (days - 1 - at) * DAY_MS)))

function median(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
