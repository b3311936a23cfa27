// What somebody without a key may do with a persona that its owner shares: talk, look back, say what was right.
// Nothing of it reaches memory, other sessions, or what a program may ask for beside a message.
import { createHash } from 'node:crypto'
import { talkOperations, type VisitorMessage, type VisitorReply, visitorPattern } from '../../contract/talk-api.ts'
import { visitorKey } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { domainNamePattern, type Persona } from '../../domain/persona.ts'
import type { Caller } from '../access.ts'
import { converse } from '../conversations/converse.ts'
import { limits } from '../limits.ts'
import type { Needs } from '../needs.ts'
import { validate } from '../validate.ts'
import { presentHistory, titlesOf } from './present.ts'

export type Visitor = Pick<Caller, 'requestId' | 'signal' | 'onText'> & { secret: string | undefined }

export type Visit = {
  say(fields: unknown): Promise<VisitorReply>
  lookBack(): Promise<{ messages: VisitorMessage[] }>
  judge(fields: unknown): Promise<{ right: boolean | null }>
}

// A persona that is not shared looks like one that does not exist.
export async function sharedPersona({ store }: Pick<Needs, 'store'>, domainName: string): Promise<Persona> {
  const persona = domainNamePattern.test(domainName) ? await store.personas.byDomainName(domainName) : undefined
  if (!persona?.sharing.isOn) throw new AppError('not_found', 'There is nobody to talk to at this address.')
  return persona
}

export function createVisit(needs: Needs, persona: Persona, visitor: Visitor): Visit {
  const { store, sizes } = needs
  const sessionId = sessionOf(persona, visitor.secret)
  return {
    async say(fields) {
      const { text } = validate(talkOperations.say.body, fields, sizes.textCharacters)
      return say(needs, persona, visitor, { text, sessionId })
    },

    async lookBack() {
      const entries = await store.conversations.tail(persona.id, sessionId, limits.visitorHistory)
      const replies = await store.replies.some(
        persona.id,
        entries.filter(({ role }) => role === 'ai').map(({ id }) => id),
      )
      const used = replies.flatMap(({ explanation }) => explanation.used.map(({ memoryId }) => memoryId))
      const memories = persona.sharing.showsSources ? await store.memories.get(persona.id, [...new Set(used)]) : []
      return { messages: presentHistory(persona, entries, replies, memories) }
    },

    async judge(fields) {
      const { reply_id, right } = validate(talkOperations.judge.body, fields, sizes.textCharacters)
      const label = right === null ? null : right ? 'right' : 'wrong'
      if (!(await store.replies.labelByVisitor(persona.id, sessionId, reply_id, label)))
        throw new AppError('not_found', 'There is no such reply in this conversation.')
      return { right }
    },
  }
}

async function say(
  needs: Needs,
  persona: Persona,
  { requestId, signal, onText }: Visitor,
  { text, sessionId }: { text: string; sessionId: string },
): Promise<VisitorReply> {
  let replyId: string | null = null
  const caller: Caller = {
    key: visitorKey(persona.id),
    requestId,
    onReply: (id) => {
      replyId = id
    },
    ...(signal && { signal }),
    ...(onText && { onText }),
  }
  const request = { Text: text, SessionId: sessionId, SourceName: 'talk', is_stack: false, is_draft: false }
  try {
    const { ai_message, sources = [] } = await converse(needs, caller, persona, request, { include: 'sources' })
    const titles = persona.sharing.showsSources ? titlesOf(sources) : []
    return { ai_message, SessionId: sessionId, reply_id: replyId, withheld: false, sources: titles }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'withheld') throw error
    const { defaultMessage } = persona.sharing
    return { ai_message: defaultMessage, SessionId: sessionId, reply_id: null, withheld: true, sources: [] }
  }
}

// Only the hash is kept: whoever reads the store learns nobody's secret, and nobody can ask for another's session.
function sessionOf(persona: Persona, secret: string | undefined): string {
  if (secret === undefined || !visitorPattern.test(secret))
    throw new AppError('invalid', 'x-memoir-visitor must be 32 random bytes in base64url.')
  return `visitor-${createHash('sha256').update(`${persona.id} ${secret}`).digest('hex')}`
}
