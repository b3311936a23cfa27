// Hears a message: its meaning is embedded once, for telling what kind it is and for recalling.
import type { Persona } from '../domain/persona.ts'
import { correctSpelling, type Heard, hear, readable, termsOf } from '../language/language.ts'
import type { RecallNeeds } from '../recall/recall.ts'

type HearNeeds = Pick<RecallNeeds, 'embedder' | 'indexes' | 'servingOf' | 'takeTurn' | 'onTrouble'>

// Without its meaning a message is still understood by its words.
export async function hearMessage(needs: HearNeeds, { id }: Pick<Persona, 'id'>, text: string): Promise<Heard> {
  const { embedder, takeTurn, onTrouble } = needs
  const { indexes } = needs.servingOf?.(id) ?? needs
  const endTurn = await takeTurn?.(id, 'first')
  try {
    const asked = await indexes.use(id, (index) =>
      correctSpelling(readable(text), (word) => termsOf(word).every(index.holds)),
    )
    const [vector] = await embedder.embed([asked], 'question')
    return hear(text, { asked, meaning: vector ? { embedder: embedder.name, vector } : null })
  } catch (error) {
    onTrouble?.(error)
    return hear(text)
  } finally {
    endTurn?.()
  }
}
