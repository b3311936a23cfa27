// Gives a persona's memories the vectors of the embedder in use, batch by batch. Those of another embedder stay
// beside them, so that a service still running with it goes on answering.
import type { Embedder } from '../ports/models.ts'
import type { Store } from '../ports/store.ts'
import { textToEmbed } from './index/trace.ts'
import { toBytes } from './index/vectors.ts'
import { limits } from './limits.ts'

type ReembedNeeds = { store: Pick<Store, 'traces'>; embedder: Embedder }
type ReembedOptions = { signal?: AbortSignal; onEmbedded?: (memories: number) => void }

// Resolves to how many memories it embedded. Broken off, it goes on where it was when called again.
export async function reembed(
  needs: ReembedNeeds,
  persona: { id: number },
  { signal, onEmbedded }: ReembedOptions = {},
): Promise<number> {
  let embedded = 0
  for await (const numbers of lacking(needs, persona.id)) {
    for (let at = 0; at < numbers.length; at += limits.reembedBatch) {
      signal?.throwIfAborted()
      const batch = numbers.slice(at, at + limits.reembedBatch)
      await embed(needs, persona.id, batch)
      embedded += batch.length
      onEmbedded?.(batch.length)
    }
  }
  return embedded
}

// The memories that this embedder has not seen, some at a time: looking through all of them at once would take long.
export async function* lacking(
  { store: { traces }, embedder }: { store: Pick<Store, 'traces'>; embedder: Pick<Embedder, 'name'> },
  personaId: number,
): AsyncIterable<number[]> {
  for (let after: number | null = 0; after !== null; ) {
    const { numbers, next } = await traces.withoutVector(personaId, embedder.name, { after, limit: limits.loadRows })
    yield numbers
    after = next
  }
}

async function embed({ store: { traces }, embedder }: ReembedNeeds, personaId: number, numbers: number[]) {
  const memories = await traces.lookUp(personaId, numbers)
  const vectors = await embedder.embed(
    memories.map(({ memory }) => textToEmbed(memory)),
    'memory',
  )
  const made = memories.map(({ number, memory: { documentId } }, at) => ({
    number,
    documentId,
    bytes: toBytes(vectors[at]!),
  }))
  await traces.addVectors(personaId, embedder.name, made)
}
