// The owner looks through what was said: sessions, their messages, and a search over all of them.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { map } from '../in-turn.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { presentMessage, presentSession } from './present.ts'

export function adminConversations(needs: AdminNeeds): Pick<Admin, 'listSessions' | 'getSession' | 'searchMessages'> {
  const { conversations } = needs.store
  return {
    async listSessions({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const sessions = (await conversations.sessions(persona.id, pageOf(page))).map(presentSession)
      return { sessions, next: nextOf(sessions, Number(page.limit)) }
    },

    async getSession({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const history = await conversations.history(persona.id, id)
      if (!history) throw new AppError('not_found', 'This persona has no session with that id.')
      return { id, messages: (await Array.fromAsync(map(history, presentMessage))).flat() }
    },

    async searchMessages({ domain_name, text, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const found = await conversations.search(persona.id, text, pageOf(page))
      const messages = found.map((message) => ({ ...presentMessage(message), session_id: message.sessionId }))
      return { messages, next: nextOf(messages, Number(page.limit)) }
    },
  }
}
