// The models with a span for each call: how long they took, and for how many texts; failures are told.
import type { Embedder, Reader } from '../ports/models.ts'
import { type Facts, inSpan } from './scope.ts'

const watch = <T>(name: string, facts: Facts, onFailure: () => void, act: () => Promise<T>): Promise<T> =>
  inSpan(name, { facts }, () =>
    act().catch((error) => {
      onFailure()
      throw error
    }),
  )

export const watchEmbedder = (embedder: Embedder, onFailure: () => void): Embedder => ({
  ...embedder,
  embed: (texts, as) =>
    watch('embed', { 'memoir.texts': texts.length, 'memoir.texts_are': as }, onFailure, () =>
      embedder.embed(texts, as),
    ),
})

export function watchReader(reader: Reader, onFailure: () => void): Reader {
  const { verify } = reader
  return {
    ...reader,
    read: (question, passages) =>
      watch('read', { 'memoir.passages': passages.length }, onFailure, () => reader.read(question, passages)),
    ...(verify && {
      verify: (claims) => watch('verify', { 'memoir.claims': claims.length }, onFailure, () => verify(claims)),
    }),
  }
}
