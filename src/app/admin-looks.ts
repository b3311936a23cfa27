// The owner looks through what was said and what is remembered, and tries out another voice.
import type { Admin } from '../contract/admin-api.ts'
import { AppError } from '../domain/errors.ts'
import { parseTime } from '../domain/time.ts'
import { reply } from '../reply/reply.ts'
import { type AdminNeeds, nextOf, personaNamed } from './admin.ts'
import { presentMessage, presentRecollection } from './present.ts'

export function adminLooks(needs: AdminNeeds): Pick<Admin, 'searchMessages' | 'timeline' | 'preview'> {
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
      const memories = (await store.memories.timeline(persona.id, page)).map(({ recollection, kind, isDraft }) => ({
        ...presentRecollection(recollection),
        kind,
        is_draft: isDraft,
      }))
      return { memories, next: nextOf(memories, page.limit) }
    },

    async preview({ domain_name, question, instructions }) {
      const persona = await personaNamed(needs, domain_name)
      if (question.trim() === '') throw new AppError('invalid', 'question is empty.')
      const { text, score } = await reply(
        needs,
        { ...persona, instructions: instructions ?? '' },
        { text: question, documentIds: undefined },
      )
      return { text, score }
    },
  }
}
