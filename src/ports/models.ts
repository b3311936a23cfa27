// The sockets for models. Each call may be batched with others; an implementation keeps its own threads.
import type { Reading } from '../domain/memory.ts'

// Texts to vectors of unit length. `name` is stored with each vector: vectors of two names are never compared.
export type Embedder = {
  name: string
  dimensions: number
  // With no texts it resolves when the model is ready. A question never waits behind memories; some models also treat the two differently.
  embed(texts: string[], as: 'question' | 'memory'): Promise<Float32Array[]>
  close(): Promise<void>
}

// Reads a question together with each of the passages.
export type Reader = {
  name: string
  read(question: string, passages: string[]): Promise<Reading[]>
  close(): Promise<void>
}
