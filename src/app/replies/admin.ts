// The owner looks at replies, says which were right, and lets the score learn from that.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import type { ListedReply } from '../../domain/reply.ts'
import { understand } from '../../language/language.ts'
import { hearMessage } from '../../reply/hear.ts'
import { reply } from '../../reply/reply.ts'
import { calibrate, isEnough, isOutdated } from '../../reply/score/calibrate.ts'
import { reliability, riskCoverage } from '../../reply/score/curves.ts'
import { shippedCurves } from '../../reply/score/score-file.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { findGaps } from './gaps.ts'
import { presentExplanation, presentReply } from './present.ts'
import { findScorerSince } from './scorer.ts'
import { statistics } from './statistics.ts'

type Commands = Pick<
  Admin,
  'listReplies' | 'explainReply' | 'labelReply' | 'confidence' | 'calibratePersona' | 'statistics' | 'gaps' | 'preview'
>

export function adminReplies(needs: AdminNeeds): Commands {
  const { store } = needs
  const missing = () => new AppError('not_found', 'This persona has no reply with that id.')
  return {
    async listReplies({ domain_name, visitor_label, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const replies = await store.replies.list(persona.id, { ...pageOf(page), visitorLabel: visitor_label })
      return { replies: replies.map(presentReply), next: nextOf(replies, Number(page.limit)) }
    },

    async explainReply({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const found = await store.replies.get(persona.id, id)
      if (!found) throw missing()
      const { used, nearMisses, leftOut = [] } = found.explanation
      const ids = [...[...used, ...nearMisses].map((one) => one.memoryId), ...leftOut]
      const memories = await store.memories.get(persona.id, ids)
      return presentExplanation(found, new Map(memories.map((one) => [one.memory.id, one])))
    },

    async labelReply({ domain_name, id, right }) {
      const persona = await personaNamed(needs, domain_name)
      const label = right == null ? null : right ? 'right' : 'wrong'
      if (!(await store.replies.label(persona.id, id, label))) throw missing()
      return presentReply((await store.replies.get(persona.id, id))!)
    },

    async confidence({ domain_name }) {
      const persona = await personaNamed(needs, domain_name)
      const labelled = await verdictsOf(needs, persona)
      const judged = labelled.map(({ score, label }) => ({ score, right: label === 'right' }))
      const own = isEnough(judged)
      return {
        basis: own ? 'own' : 'shipped',
        labels: labelled.length,
        threshold: persona.threshold,
        calibrated_at: persona.calibration?.at ?? null,
        is_outdated: isOutdated(persona.calibration),
        ...(own ? { reliability: reliability(judged), risk_coverage: riskCoverage(judged) } : shippedCurves),
      }
    },

    async calibratePersona({ domain_name, reset }) {
      const persona = await personaNamed(needs, domain_name)
      const labelled = await verdictsOf(needs, persona)
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

    async statistics({ domain_name, days }) {
      const persona = await personaNamed(needs, domain_name)
      return { days: await statistics(needs, persona, Number(days)) }
    },

    async gaps({ domain_name, days }) {
      const persona = await personaNamed(needs, domain_name)
      return { gaps: await findGaps(needs, persona, Number(days)) }
    },

    async preview({ domain_name, question, instructions }) {
      const persona = await personaNamed(needs, domain_name)
      if (question.trim() === '') throw new AppError('invalid', 'question is empty.')
      const other = { ...persona, instructions: instructions ?? '' }
      const { text, score } = await reply({ ...needs, ...needs.voiceOf(other) }, other, {
        message: understand(await hearMessage(needs, persona, question)),
      })
      return { text, score }
    },
  }
}

// Those on replies that the reader in use scored.
async function verdictsOf({ store }: AdminNeeds, { id }: Persona): Promise<ListedReply[]> {
  const since = await findScorerSince(store)
  const labelled = await store.replies.labelled(id, limits.calibrationLabels)
  return labelled.filter(({ createdAt }) => createdAt >= since)
}
