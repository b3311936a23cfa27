// Hears a message: its meaning is embedded once, for telling what kind it is and for recalling.

import type { Persona } from '../domain/persona.ts'
import { type Heard, hear, readable } from '../language/language.ts'
import type { RecallNeeds } from '../recall/recall.ts'

type HearNeeds = Pick<RecallNeeds, 'embedder' | 'takeTurn' | 'onTrouble'>

// Without its meaning a message is still understood by its words.
export async function hearMessage(needs: HearNeeds, { id }: Pick<Persona, 'id'>, text: string): Promise<Heard> {
  const { embedder, takeTurn, onTrouble } = needs
  const endTurn = await takeTurn?.(id)
  try {
    const [vector] = await embedder.embed([readable(text)], 'question')
    return hear(text, vector ? { embedder: embedder.name, vector } : null)
  } catch (error) {
    onTrouble?.(error)
    return hear(text)
  } finally {
    endTurn?.()
  }
}
