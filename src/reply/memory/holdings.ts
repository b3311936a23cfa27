// Asked what it knows, a persona names what it was given: its latest documents, and what was noted last.
import { introduce, sayHoldings } from '../../language/language.ts'
import { composeReply, type Reply } from '../compose.ts'
import { quoteBeginning } from '../evidence/evidence.ts'
import { limits } from '../limits.ts'
import type { Occasion } from '../responder.ts'
import { aboutSelfConfidence } from '../score/fixed.ts'
import { say } from './answer.ts'

export async function sayWhatIKnow({ needs: { store }, persona, request }: Occasion): Promise<Reply | null> {
  if (!request.message.asksForHoldings) return null
  const [documents, latest] = await Promise.all([
    store.documents.list(persona.id, { limit: limits.namedTitles + 1 }),
    store.memories.timeline(persona.id, { limit: limits.latestMemories }),
  ])
  const titles = documents.filter(({ state, isDraft }) => state === 'ready' && !isDraft).map(({ title }) => title)
  const notes = latest
    .filter(({ kind, isDraft }) => kind === 'memory' && !isDraft)
    .slice(0, limits.namedNotes)
    .map(quoteBeginning)
  const holdings = sayHoldings(
    titles.slice(0, limits.namedTitles),
    titles.length > limits.namedTitles,
    notes.map((one) => say(one, persona)),
  )
  return composeReply({ text: [introduce(persona), ...holdings].join('\n'), used: notes }, aboutSelfConfidence)
}
