// A reply as its owner may look at it later: what was said, how sure, on what it rests, and whether it was right.

import type { Spent } from './chat-model.ts'

export type Decision = 'sent' | 'withheld' | 'draft'
export type Label = 'right' | 'wrong'
export type Range = { start: number; end: number } // characters

// One part of a score: what was seen, and how far it moved the score, in log-odds.
export type ScorePart = { name: string; value: number; contribution: number }

// Memories are named, not copied: what is forgotten is not quoted here either.
export type Explanation = {
  understoodAs: string | null // the question as the session completes it
  used: { memoryId: string; documentId: string; sentences: Range[] }[]
  marks?: { at: number; memoryId: string }[] // where in the reply's text which memory is cited; older ones have none
  parts: ScorePart[]
  nearMisses: { memoryId: string; score: number }[]
  prompt: string | null // what a chat model was given, with a mark for each memory
  model: string | null
  withoutModel: string | null // why a chat model that is set did not write it
  leftOut: string[] // ids of memories that contradict a sentence of the model: that sentence was dropped
  timings: Record<string, number> // milliseconds a step
}

export type KeptReply = {
  personaId: number
  id: string // that of its message, or of its draft
  sessionId: string
  question: string
  text: string // empty when what it told was forgotten since
  score: number
  logit: number // the score before what the owner's own labels teach
  decision: Decision
  answeredBy: string // 'memory', or the name of a chat model
  tookMs: number
  label: Label | null
  spent: Spent | null // by chat models; null where none wrote, or its server does not count
  visitorLabel: Label | null // of a visitor of its shared page: for the owner to read, nothing learns from it
  explanation: Explanation
  createdAt: Date
}

// A reply as lists show it, without its reasons.
export type ListedReply = Omit<KeptReply, 'explanation'>

// The mark of a memory in a kept prompt.
export const memoryMark = (id: string): string => `⟦memory ${id}⟧`
