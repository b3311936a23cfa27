// The answer to a message that was answered before, made from the reply that was kept of it.
import type { Persona } from '../../domain/persona.ts'
import type { KeptReply } from '../../domain/reply.ts'
import { asSource } from '../../reply/compose.ts'
import type { Caller } from '../access.ts'
import type { Needs } from '../needs.ts'
import { withheldReply } from './converse.ts'
import { presentReply } from './present.ts'

type Asked = { SessionId?: string | undefined; SourceName?: string | undefined }

// Memories that were forgotten since are not among its sources any more.
export async function repeatReply(
  { store }: Pick<Needs, 'store'>,
  caller: Caller,
  persona: Persona,
  asked: Asked,
  reply: KeptReply,
  include: 'sources' | undefined,
) {
  caller.onReply?.(reply.id)
  if (reply.decision === 'withheld') throw withheldReply()
  const ids = include ? [...new Set(reply.explanation.used.map(({ memoryId }) => memoryId))] : []
  const known = new Map((await store.memories.get(persona.id, ids)).map((one) => [one.memory.id, one]))
  const sources = ids.flatMap((id) => known.get(id) ?? []).map(asSource)
  const turn = { told: asked.SessionId ?? reply.sessionId, sourceApp: asked.SourceName ?? 'api' }
  return presentReply(persona, turn, { ...reply, sources }, include)
}
