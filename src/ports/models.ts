// The sockets for models. Each call may be batched with others; an implementation keeps its own threads.
import type { ChatPrices, ChatUsage } from '../domain/chat-model.ts'
import type { Reading } from '../domain/memory.ts'

// Texts to vectors of unit length. `name` is stored with each vector: vectors of two names are never compared.
export type Embedder = {
  name: string
  dimensions: number
  // With no texts it resolves when the model is ready. A question never waits behind memories; some models also treat
  // the two differently.
  embed(texts: string[], as: 'question' | 'memory'): Promise<Float32Array[]>
  // What its server counts for a text, where it has one.
  tokensOf?(text: string): Promise<number | null>
  close(): Promise<void>
}

export type Claim = { sentence: string; passage: string }

// Probabilities that add up to one: what is not unsaid is either said, or said otherwise.
export type Entailment = { supported: number; unsaid: number; contradicted: number }

// Reads a question together with each of the passages.
export type Reader = {
  name: string
  read(question: string, passages: string[]): Promise<Reading[]>
  // How far each passage says what a sentence claims. One that cannot tell leaves it out.
  verify?(claims: Claim[]): Promise<Entailment[]>
  close(): Promise<void>
}

// Something said in a recording, from when to when.
export type Said = { offsetMs: number; endMs: number; speaker: string | null; text: string }

// `isTimed`: the times are known.
export type Transcript = { said: Said[]; isTimed: boolean }

export type Recording = { bytes: Uint8Array; name: string; mediaType: string }

// Throws AppError('unreachable') for what may pass, AppError('unreadable') for what will not.
export type Transcriber = {
  transcribe(recording: Recording, options: { signal?: AbortSignal | undefined }): Promise<Transcript>
}

export type ChatTurn = { role: 'user' | 'ai'; text: string }

export type ChatPrompt = {
  system: string
  turns: ChatTurn[]
  memories?: number // that are numbered in it, if every sentence has to cite some
}

export type ChatOptions = {
  signal?: AbortSignal | undefined // of a caller who may leave
  onText?: ((delta: string) => void) | undefined // the text as it comes; together the deltas are the text
}

export type Written = {
  text: string
  logprob: number | null // mean log-probability of its tokens, where the server tells
  isWhole: boolean // false where the model ran into its limit
  firstTokenMs: number // until it began, waiting for its turn included
  usage: ChatUsage | null // where the server tells
}

export type ChatModel = {
  name: string
  promptTokens: number // room for the prompt, by a careful estimate
  // Asks again what may pass, within one bound of time; never after the first delta was given out. Throws
  // AppError('model_failed') when there is no answer, and AppError('cancelled') when the signal says so.
  write(prompt: ChatPrompt, options?: ChatOptions): Promise<Written>
}

// What a persona writes with. A model that failed a moment ago is left out until it answers again; `withoutModel` says
// so in a sentence.
export type Voice = { chat: ChatModel | undefined; withoutModel: string | null; prices: ChatPrices | null }

// Whether a persona has a model, and why it is not asked where it is not.
export type VoiceState = { name: string; isOwn: boolean; trouble: string | null }
