// Gives a persona's memories the vectors of the embedder in use, batch by batch. Those of another embedder stay
// beside them, so that a service still running with it goes on answering; what has no vector yet is found by its
// words.
import type { Persona } from '../domain/persona.ts'
import type { Embedder } from '../ports/models.ts'
import type { Store } from '../ports/store.ts'
import { textToEmbed } from './index/trace.ts'
import { toBytes } from './index/vectors.ts'
import { limits } from './limits.ts'

type ReembedNeeds = { store: Pick<Store, 'traces'>; embedder: Embedder }

// Resolves to how many memories it embedded. Broken off, it goes on where it was when called again.
export async function reembed({ store: { traces }, embedder }: ReembedNeeds, persona: Persona): Promise<number> {
  let embedded = 0
  for (let after = 0; ; ) {
    const missing = await traces.withoutVector(persona.id, embedder.name, { after, limit: limits.reembedBatch })
    if (missing.length === 0) return embedded
    const vectors = await embedder.embed(
      missing.map(({ memory }) => textToEmbed(memory)),
      'memory',
    )
    await traces.addVectors(
      persona.id,
      embedder.name,
      missing.map(({ number, memory }, at) => ({
        number,
        documentId: memory.documentId,
        bytes: toBytes(vectors[at]!),
      })),
    )
    embedded += missing.length
    after = missing.at(-1)!.number
  }
}
