// What a question brings up, read together with its session where it is a follow-up.
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import { languageLimits, understand } from '../../language/language.ts'
import { recall } from '../../recall/recall.ts'
import { hearMessage } from '../../reply/hear.ts'
import type { Needs } from '../needs.ts'

type Asked = { question: string; sessionId?: string | undefined; size: number; at: Date }

export async function recallFor(needs: Needs, persona: Persona, { question, sessionId, size, at }: Asked) {
  const before = sessionId === undefined ? [] : await turnsOf(needs, persona, sessionId)
  const { query } = understand(await hearMessage(needs, persona, question), { before, at })
  return recall(needs, persona, query, { size })
}

async function turnsOf({ store, sizes }: Needs, persona: Persona, sessionId: string) {
  const bounds = { turns: languageLimits.followUpTurns, charactersEach: sizes.textCharacters }
  const turns = await store.conversations.latest(persona.id, sessionId, bounds)
  if (turns.length === 0) throw new AppError('not_found', 'This persona has no session with that id.')
  return turns
}
