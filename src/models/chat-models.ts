// The chat model a persona writes with: its own, else everybody's, else none.
import type { ChatSettings } from '../domain/chat-model.ts'
import type { Persona } from '../domain/persona.ts'
import type { ChatModel } from '../ports/models.ts'
import { type ChatBounds, createChatModel } from './chat.ts'

const MOST_KEPT = 100

export function createChatModels(
  shared: ChatSettings | undefined,
  bounds: ChatBounds,
): (persona: Pick<Persona, 'model'>) => ChatModel | undefined {
  // A model remembers what its server refused, so the same settings keep the same model.
  const kept = new Map<string, ChatModel>()
  return ({ model }) => {
    const settings = model ?? shared
    if (!settings) return undefined
    const known = kept.get(JSON.stringify(settings))
    if (known) return known
    if (kept.size >= MOST_KEPT) kept.clear()
    const made = createChatModel(settings, bounds)
    kept.set(JSON.stringify(settings), made)
    return made
  }
}
