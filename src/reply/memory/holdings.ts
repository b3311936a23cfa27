// Asked what it knows, a persona names what it was given: its latest documents, and what was noted last.
import { limits } from '../../domain/limits.ts'
import type { Persona } from '../../domain/persona.ts'
import { ABOUT_SELF, introduction } from '../../language/small-talk.ts'
import type { Store } from '../../ports/store.ts'
import { kept, type Reply } from '../compose.ts'
import { beginningOf } from '../evidence/evidence.ts'
import { told } from './answer.ts'

const ASKED =
  /^(?:(?:so|and|ok|okay)[\s,]+)?what (?:do you (?:know|remember)|can you tell me|can i ask(?: you)?)(?: about)?[\s?!.]*$|^what(?:'s| is) in your memory[\s?!.]*$/i

export type Holdings = { store: Pick<Store, 'documents' | 'memories'> }

export async function holdings({ store }: Holdings, persona: Persona, message: string): Promise<Reply | null> {
  if (!ASKED.test(message.trim())) return null
  const [documents, latest] = await Promise.all([
    store.documents.list(persona.id, { limit: limits.namedTitles + 1 }),
    store.memories.timeline(persona.id, { limit: limits.latestMemories }),
  ])
  const titles = documents.filter(({ state, isDraft }) => state === 'ready' && !isDraft).map(({ title }) => title)
  const notes = latest
    .filter(({ kind, isDraft }) => kind === 'memory' && !isDraft)
    .slice(0, limits.namedNotes)
    .map(({ recollection }) => beginningOf(recollection))
  const lines = [
    ...(titles.length > 0 ? [`Ask me about ${listed(titles)}.`] : []),
    ...(notes.length > 0 ? ['The latest I was told:', ...notes.map((one) => `- ${told(one, persona)}`)] : []),
  ]
  const text = [introduction(persona), ...(lines.length > 0 ? lines : ['I have not been taught anything yet.'])]
  return kept({ text: text.join('\n'), used: notes }, ABOUT_SELF, {})
}

function listed(titles: string[]): string {
  const named = titles.slice(0, limits.namedTitles).map((title) => `“${title}”`)
  const more = titles.length > limits.namedTitles ? ['and more'] : []
  return [...named, ...more].join(', ')
}
