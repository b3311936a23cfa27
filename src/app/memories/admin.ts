// The owner looks through memories, at what a question recalls and why, and changes the embedding model of a persona.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import { parseTime } from '../../domain/time.ts'
import { languageLimits, understand } from '../../language/language.ts'
import { recall } from '../../recall/recall.ts'
import { reembed } from '../../recall/reembed.ts'
import { hearMessage } from '../../reply/hear.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { presentKnownMemory, presentRecollection } from './present.ts'

type Commands = Pick<Admin, 'listMemories' | 'timeline' | 'deleteMemory' | 'recall' | 'reembedPersona'>

export function adminMemories(needs: AdminNeeds): Commands {
  const { store } = needs
  return {
    async listMemories({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const memories = (await store.memories.list(persona.id, pageOf(page))).map(presentKnownMemory)
      return { memories, next: nextOf(memories, Number(page.limit)) }
    },

    async timeline({ domain_name, until, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const from = { ...pageOf(page), until: until === undefined ? undefined : parseTime(until) }
      const memories = (await store.memories.timeline(persona.id, from)).map((one) => ({
        ...presentKnownMemory(one),
        kind: one.kind,
        is_draft: one.isDraft,
      }))
      return { memories, next: nextOf(memories, from.limit) }
    },

    async deleteMemory({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const deleted = await store.memories.remove(persona.id, id)
      if (!deleted) throw new AppError('not_found', 'This persona has no memory with that id.')
      return { deleted }
    },

    async recall({ domain_name, question, size, session_id, at }) {
      const persona = await personaNamed(needs, domain_name)
      const time = at === undefined ? new Date() : parseTime(at)!
      const before = session_id === undefined ? [] : await turnsOf(needs, persona, session_id)
      const { query } = understand(await hearMessage(needs, question), { before, at: time })
      const found = await recall(needs, persona, query, { size: Number(size) })
      return { recollections: found.map(presentRecollection) }
    },

    async reembedPersona({ domain_name }) {
      const persona = await personaNamed(needs, domain_name)
      return { embedder: needs.embedder.name, embedded: await reembed(needs, persona) }
    },
  }
}

async function turnsOf({ store, sizes }: AdminNeeds, persona: Persona, sessionId: string) {
  const bounds = { turns: languageLimits.followUpTurns, charactersEach: sizes.textCharacters }
  const turns = await store.conversations.latest(persona.id, sessionId, bounds)
  if (turns.length === 0) throw new AppError('not_found', 'This persona has no session with that id.')
  return turns
}
