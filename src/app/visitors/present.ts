// A conversation as a visitor sees it.
import type { VisitorMessage } from '../../contract/talk-api.ts'
import type { Message } from '../../domain/conversation.ts'
import type { KnownMemory } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import type { KeptReply } from '../../domain/reply.ts'
import { limits } from '../limits.ts'

// Plain memories have no title; nothing of them is shown.
export const titlesOf = (sources: { title: string }[]): string[] =>
  [...new Set(sources.map(({ title }) => title.trim()))].filter((title) => title !== '').slice(0, limits.visitorSources)

export function presentHistory(
  persona: Persona,
  entries: Pick<Message, 'id' | 'role' | 'text'>[],
  replies: KeptReply[],
  memories: KnownMemory[],
): VisitorMessage[] {
  const replyOf = new Map(replies.map((reply) => [reply.id, reply]))
  const memoryOf = new Map(memories.map((one) => [one.memory.id, one]))
  const withheld = { role: 'ai' as const, text: persona.sharing.defaultMessage, ...nothing, withheld: true }
  return entries.flatMap(({ id, role, text }, at): VisitorMessage[] => {
    // A question without a reply is one whose reply was withheld.
    if (role === 'user') return [{ role, text, ...nothing }, ...(entries[at + 1]?.role === 'ai' ? [] : [withheld])]
    const reply = replyOf.get(id)
    if (!reply) return [{ role, text, ...nothing }]
    const used = reply.explanation.used.flatMap(({ memoryId }) => memoryOf.get(memoryId) ?? [])
    const right = reply.visitorLabel && reply.visitorLabel === 'right'
    return [{ role, text, reply_id: id, withheld: false, sources: titlesOf(used), right }]
  })
}

const nothing = { reply_id: null, withheld: false, sources: [] as string[], right: null }
