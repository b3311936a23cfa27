// Replies and what became of them.
import { send } from './call.ts'

export type Reply = {
  id: string
  session_id: string
  question: string
  text: string
  score: number
  decision: 'sent' | 'withheld' | 'draft'
  answered_by: string
  took_ms: number
  label: 'right' | 'wrong' | null
  created_at: string
}
export type Range = { start: number; end: number }
export type Source = {
  memory_id: string
  document_id: string
  title: string
  text: string
  start_time_utc: string
  sentences: Range[]
  start: number
  end: number
}
export type Explanation = Reply & {
  understood_as: string | null
  sources: Source[]
  parts: { name: string; value: number; contribution: number }[]
  near_misses: {
    memory_id: string
    document_id: string
    title: string
    text: string
    start_time_utc: string
    score: number
  }[]
  prompt: string | null
  model: string | null
  timings: Record<string, number>
}
export type ConfidenceFigures = {
  basis: 'own' | 'shipped'
  labels: number
  threshold: number
  reliability: { from: number; to: number; said: number; right: number; count: number }[]
  risk_coverage: { score: number; coverage: number; risk: number }[]
}

export type Day = { day: string; replies: number; withheld: number; score: number | null; took_ms: number | null }

const at = (domainName: string, rest: string) => `/admin/personas/${encodeURIComponent(domainName)}${rest}`

export const replies = {
  list: async (domainName: string, query: { limit?: number; before?: string | undefined }) =>
    (await send({ path: at(domainName, '/replies'), query })).json() as Promise<{
      replies: Reply[]
      next: string | null
    }>,
  get: async (domainName: string, id: string) =>
    (await send({ path: at(domainName, `/replies/${id}`) })).json() as Promise<Explanation>,
  label: (domainName: string, id: string, right: boolean | null) =>
    send({ method: 'POST', path: at(domainName, `/replies/${id}/label`), body: { right } }),
  statistics: async (domainName: string, days: number) =>
    (await send({ path: at(domainName, '/statistics'), query: { days } })).json() as Promise<{ days: Day[] }>,
  confidence: async (domainName: string) =>
    (await send({ path: at(domainName, '/confidence') })).json() as Promise<ConfidenceFigures>,
}
