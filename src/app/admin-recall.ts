// The owner looks at recall, and changes the embedding model of a persona.
import type { Admin } from '../contract/admin-api.ts'
import { AppError } from '../domain/errors.ts'
import { parseTime, timeExamples } from '../domain/time.ts'
import { languageLimits, understand } from '../language/language.ts'
import { recall } from '../recall/recall.ts'
import { reembed } from '../recall/reembed.ts'
import { type AdminNeeds, personaNamed } from './admin.ts'

export function adminRecall(needs: AdminNeeds): Pick<Admin, 'recall' | 'reembedPersona'> {
  return {
    async recall({ domain_name, question, size, session_id, at }) {
      const persona = await personaNamed(needs, domain_name)
      const time = at === undefined ? new Date() : parseTime(at)
      if (!time) throw new AppError('invalid', `at is no time this service understands; write ${timeExamples}.`)
      const bounds = { turns: languageLimits.followUpTurns, charactersEach: needs.limits.textCharacters }
      const before =
        session_id === undefined ? [] : await needs.store.conversations.latest(persona.id, session_id, bounds)
      if (session_id !== undefined && before.length === 0)
        throw new AppError('not_found', 'This persona has no session with that id.')
      const { query } = understand(question, { before, at: time })
      const found = await recall(needs, persona, query, { size: Number(size) })
      return {
        recollections: found.map(({ memory, title, tags, score, parts }) => ({
          memory_id: memory.id,
          document_id: memory.documentId,
          title,
          text: memory.text,
          topics: tags,
          start_time_utc: memory.time.toISOString(),
          score,
          parts,
        })),
      }
    },

    async reembedPersona({ domain_name }) {
      const persona = await personaNamed(needs, domain_name)
      return { embedder: needs.embedder.name, embedded: await reembed(needs, persona) }
    },
  }
}
