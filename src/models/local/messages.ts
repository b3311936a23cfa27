// What the service and the process of a local model say to each other.
import type { ChatUsage } from '../../domain/chat-model.ts'
import type { ChatTurn } from '../../ports/models.ts'

export type Load = { entry: string; file: string; contextTokens: number; threads: number }

export type Task = {
  id: number
  system: string
  turns: ChatTurn[]
  answerTokens: number
  memories: number // that the prompt numbers; each sentence has to end in some of them, unless there are none
}

// How an answer ended, and what it took.
export type Ended = ChatUsage & { end: 'stop' | 'length' }

export type ToProcess = { type: 'load'; load: Load } | { type: 'write'; task: Task } | { type: 'stop'; id: number }

export type FromProcess =
  | { type: 'loaded' }
  | { type: 'not loaded'; why: string }
  | { type: 'text'; id: number; delta: string; logprobs: number[] }
  | ({ type: 'done'; id: number } & Ended)
  | { type: 'failed'; id: number; why: string; isOfMessage: boolean }
