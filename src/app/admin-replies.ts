// The owner looks at replies, says which were right, and lets the score learn from that.
import type { Admin } from '../contract/admin-api.ts'
import { AppError } from '../domain/errors.ts'
import type { KnownMemory } from '../domain/memory.ts'
import { type KeptReply, memoryMark } from '../domain/reply.ts'
import { calibrate, isEnough } from '../reply/score/calibrate.ts'
import { reliability, riskCoverage } from '../reply/score/curves.ts'
import { shippedCurves } from '../reply/score/score-file.ts'
import { type AdminNeeds, nextOf, personaNamed } from './admin.ts'

type Commands = Pick<Admin, 'listReplies' | 'explainReply' | 'labelReply' | 'confidence' | 'calibratePersona'>

export function adminReplies(needs: AdminNeeds): Commands {
  const { store, limits } = needs
  const missing = () => new AppError('not_found', 'This persona has no reply with that id.')
  return {
    async listReplies({ domain_name, limit, before }) {
      const persona = await personaNamed(needs, domain_name)
      const replies = await store.replies.list(persona.id, { limit: Number(limit), before })
      return { replies: replies.map(presentReply), next: nextOf(replies, Number(limit)) }
    },

    async explainReply({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const reply = await store.replies.get(persona.id, id)
      if (!reply) throw missing()
      const { used, nearMisses } = reply.explanation
      const ids = [...used, ...nearMisses].map((one) => one.memoryId)
      const found = await store.memories.get(persona.id, ids)
      return explain(reply, new Map(found.map((one) => [one.memory.id, one])))
    },

    async labelReply({ domain_name, id, right }) {
      const persona = await personaNamed(needs, domain_name)
      const label = right == null ? null : right ? 'right' : 'wrong'
      if (!(await store.replies.label(persona.id, id, label))) throw missing()
      return presentReply((await store.replies.get(persona.id, id))!)
    },

    async confidence({ domain_name }) {
      const persona = await personaNamed(needs, domain_name)
      const labelled = await store.replies.labelled(persona.id, limits.calibrationLabels)
      const judged = labelled.map(({ score, label }) => ({ score, right: label === 'right' }))
      const own = isEnough(judged)
      return {
        basis: own ? 'own' : 'shipped',
        labels: labelled.length,
        threshold: persona.threshold,
        calibrated_at: persona.calibration?.at ?? null,
        ...(own ? { reliability: reliability(judged), risk_coverage: riskCoverage(judged) } : shippedCurves),
      }
    },

    async calibratePersona({ domain_name, reset }) {
      const persona = await personaNamed(needs, domain_name)
      const labelled = await store.replies.labelled(persona.id, limits.calibrationLabels)
      if (reset) {
        await store.personas.update(persona.id, { calibration: null })
        const note = 'The score is the shipped one again.'
        return { labels: labelled.length, changed: persona.calibration !== null, note, before: null, after: null }
      }
      const judged = labelled.map(({ logit, label }) => ({ logit, right: label === 'right' }))
      const { calibration, ...outcome } = calibrate(judged, persona.calibration, new Date())
      if (outcome.changed) await store.personas.update(persona.id, { calibration })
      return { labels: labelled.length, ...outcome }
    },
  }
}

const presentReply = (reply: KeptReply) => ({
  id: reply.id,
  session_id: reply.sessionId,
  question: reply.question,
  text: reply.text,
  score: reply.score,
  decision: reply.decision,
  answered_by: reply.answeredBy,
  took_ms: reply.tookMs,
  label: reply.label,
  created_at: reply.createdAt.toISOString(),
})

// What was forgotten since is not shown; the score and its parts stay.
function explain(reply: KeptReply, memories: Map<string, KnownMemory>) {
  const { understoodAs, used, parts, nearMisses, prompt, model, timings } = reply.explanation
  return {
    ...presentReply(reply),
    understood_as: understoodAs,
    sources: used.flatMap(({ memoryId, sentences }) => {
      const one = memories.get(memoryId)
      return one ? [{ ...presentMemory(one), start: one.memory.place.start, end: one.memory.place.end, sentences }] : []
    }),
    parts,
    near_misses: nearMisses.flatMap(({ memoryId, score }) => {
      const one = memories.get(memoryId)
      return one ? [{ ...presentMemory(one), score }] : []
    }),
    prompt: prompt && withMemories(prompt, memories),
    model,
    timings,
  }
}

const presentMemory = ({ memory, title }: KnownMemory) => ({
  memory_id: memory.id,
  document_id: memory.documentId,
  title,
  text: memory.text,
  start_time_utc: memory.time.toISOString(),
})

const MARK = new RegExp(memoryMark('([0-9a-f-]+)'), 'g')

const withMemories = (prompt: string, memories: Map<string, KnownMemory>): string =>
  prompt.replaceAll(MARK, (_, id: string) => memories.get(id)?.memory.text ?? '(forgotten since)')
