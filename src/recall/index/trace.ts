// What a memory leaves for finding it again: its words as numbers, its speaker, its vector.
import type { Memory } from '../../domain/memory.ts'
import { leadingName, tellsOfSelf, termsOf } from '../../language/language.ts'
import type { Embedder } from '../../ports/models.ts'
import type { Trace } from '../../ports/store.ts'
import { toBytes } from './vectors.ts'

// `isPlain`: given as memories, one text each, not cut out of a document.
export async function traces(
  { embedder }: { embedder: Embedder },
  memories: Memory[],
  { isPlain }: { isPlain: boolean },
): Promise<Trace[]> {
  const vectors = await embedder.embed(memories.map(textToEmbed), 'memory')
  return memories.map((memory, at) => ({
    ...wordTrace(memory, isPlain),
    embedder: embedder.name,
    vector: toBytes(vectors[at]!),
  }))
}

// A heading says what its passages are about without saying it again.
export const textToEmbed = ({ text, place }: Memory): string =>
  place.headings.length === 0 ? text : `${place.headings.join(', ')}: ${text}`

function wordTrace(memory: Memory, isPlain: boolean): Pick<Trace, 'words' | 'speaker' | 'isTurn' | 'isSelf'> {
  const speaker = memory.place.speaker ?? leadingName(memory.text)
  const terms = termsOf([...memory.place.headings, memory.text].join(' '))
  return {
    words: new Uint8Array(terms.buffer),
    speaker: speaker?.toLowerCase() ?? null,
    isTurn: isPlain || memory.place.speaker !== null,
    isSelf: tellsOfSelf(memory.text),
  }
}
