// The models with a span for each call: how long they took, and for how many texts.
import type { Embedder, Reader } from '../ports/models.ts'
import { inSpan } from './scope.ts'

export const traceEmbedder = (embedder: Embedder): Embedder => ({
  ...embedder,
  embed: (texts, as) =>
    inSpan('embed', { facts: { 'memoir.texts': texts.length, 'memoir.texts_are': as } }, () =>
      embedder.embed(texts, as),
    ),
})

export function traceReader(reader: Reader): Reader {
  const { verify } = reader
  return {
    ...reader,
    read: (question, passages) =>
      inSpan('read', { facts: { 'memoir.passages': passages.length } }, () => reader.read(question, passages)),
    ...(verify && {
      verify: (claims) => inSpan('verify', { facts: { 'memoir.claims': claims.length } }, () => verify(claims)),
    }),
  }
}
