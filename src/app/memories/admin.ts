// The owner looks through memories, at what a question recalls and why, and changes the embedding model of a persona.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { parseTime } from '../../domain/time.ts'
import { reembed } from '../../recall/reembed.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf, timesOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { presentKnownMemory, presentRecollection } from './present.ts'
import { recallFor } from './recall-for.ts'

type Commands = Pick<Admin, 'listMemories' | 'timeline' | 'deleteMemory' | 'recall' | 'reembedPersona'>

export function adminMemories(needs: AdminNeeds): Commands {
  const { store } = needs
  return {
    async listMemories({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const memories = (await store.memories.list(persona.id, pageOf(page))).map(presentKnownMemory)
      return { memories, next: nextOf(memories, Number(page.limit)) }
    },

    async timeline({ domain_name, kind, tag, source, since, until, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const isPlain = kind && kind === 'memory'
      const from = { ...pageOf(page), isPlain, tag, source, ...timesOf({ since, until }) }
      const memories = (await store.memories.timeline(persona.id, from)).map((one) => ({
        ...presentKnownMemory(one),
        kind: one.kind,
        is_draft: one.isDraft,
        source_name: one.source,
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
      const found = await recallFor(needs, persona, { question, sessionId: session_id, size: Number(size), at: time })
      return { recollections: found.map(presentRecollection) }
    },

    async reembedPersona({ domain_name }) {
      const persona = await personaNamed(needs, domain_name)
      return { embedder: needs.embedder.name, embedded: await reembed(needs, persona) }
    },
  }
}
