// The owner looks through what was said, searches it, and keeps it in order: names, deletes, takes back.
import type { Admin } from '../../contract/admin-api.ts'
import { limits } from '../../contract/limits.ts'
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import { allowRight, mayDo } from '../access.ts'
import { map } from '../in-turn.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { presentKept } from '../replies/present.ts'
import { presentMessage, presentSession } from './present.ts'

type Commands = Pick<
  Admin,
  'listSessions' | 'getSession' | 'searchMessages' | 'renameSession' | 'deleteSession' | 'takeBackQuestion'
>

export function adminConversations(needs: AdminNeeds): Commands {
  const { conversations } = needs.store
  const missing = () => new AppError('not_found', 'This persona has no session with that id.')
  return {
    async listSessions({ domain_name, from, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const isOwn = from && from === 'console'
      // What a person began, not what others did who are signed in as well.
      const holder = isOwn && needs.caller.key.role ? needs.caller.key.id : undefined
      const found = await conversations.sessions(persona.id, { ...pageOf(page), isOwn, holder })
      const sessions = found.map(presentSession)
      return { sessions, next: nextOf(sessions, Number(page.limit)) }
    },

    async getSession({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const history = await conversations.history(persona.id, id)
      const session = await conversations.session(persona.id, id)
      if (!history || !session) throw missing()
      const messages = (await Array.fromAsync(map(history, presentMessage))).flat()
      const replies = await repliesOf(needs, persona, id)
      return {
        id,
        title: session.title,
        messages: messages.map((message) => ({ ...message, reply: replies.get(message.id) ?? null })),
      }
    },

    async searchMessages({ domain_name, text, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const found = await conversations.search(persona.id, text, pageOf(page))
      const messages = found.map((message) => ({ ...presentMessage(message), session_id: message.sessionId }))
      return { messages, next: nextOf(messages, Number(page.limit)) }
    },

    async renameSession({ domain_name, id, title }) {
      const persona = await personaNamed(needs, domain_name)
      await refuseOthers(needs, persona, id)
      const named = (title ?? '').trim()
      if (!(await conversations.rename(persona.id, id, named))) throw missing()
      return { id, title: named }
    },

    async deleteSession({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      await refuseOthers(needs, persona, id)
      const deleted = await conversations.remove(persona.id, id)
      if (!deleted) throw missing()
      return { deleted }
    },

    async takeBackQuestion({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      await refuseOthers(needs, persona, id)
      const question = await conversations.takeBack(persona.id, id)
      if (question === undefined)
        throw new AppError(
          'not_found',
          'This persona has no session with that id whose last question the console asked.',
        )
      return { question }
    },
  }
}

// Whoever may only talk keeps their own sessions in order.
async function refuseOthers({ store, caller }: AdminNeeds, persona: Persona, sessionId: string): Promise<void> {
  if (mayDo(caller, 'manage')) return
  const holder = await store.conversations.holder(persona.id, sessionId)
  if (holder !== undefined && holder !== caller.key.id) allowRight(caller, 'manage')
}

// By the ids of their messages.
async function repliesOf({ store }: AdminNeeds, persona: Persona, sessionId: string) {
  const kept = await store.replies.ofSession(persona.id, sessionId, limits.sessionReplies)
  const cited = new Set(kept.flatMap(({ explanation: { marks = [] } }) => marks.map(({ memoryId }) => memoryId)))
  const memories = await store.memories.get(persona.id, [...cited])
  const known = new Map(memories.map((one) => [one.memory.id, one]))
  return new Map(kept.map((reply) => [reply.id, presentKept(reply, known)]))
}
