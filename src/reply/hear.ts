// Hears a message: its meaning is embedded once, for telling what kind it is and for recalling.
import { type Heard, hear, readable } from '../language/language.ts'
import type { Embedder } from '../ports/models.ts'

type HearNeeds = { embedder: Embedder; onTrouble?(error: unknown): void }

// Without its meaning a message is still understood by its words.
export async function hearMessage({ embedder, onTrouble }: HearNeeds, text: string): Promise<Heard> {
  try {
    const [vector] = await embedder.embed([readable(text)], 'question')
    return hear(text, vector ? { embedder: embedder.name, vector } : null)
  } catch (error) {
    onTrouble?.(error)
    return hear(text)
  }
}
