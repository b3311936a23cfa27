// A conversation is the messages of one session; a draft is a reply that waits for the owner.

export type Role = 'user' | 'ai'

export type Message = {
  personaId: number
  sessionId: string
  id: string
  role: Role
  text: string
  score: number
  sourceApp: string
  userName: string | null
  metadata: Record<string, unknown>
  time: Date
}

// The source of what the owner asks in the console.
export const consoleApp = 'console'

export type Session = {
  personaId: number
  id: string
  title: string // the owner's; empty: none
  sourceApp: string // of its first message
  holder: string | null // the key that began it; null for a session from before that was kept
  opening: string // what was said first, cut short
  messages: number
  startedAt: Date
  lastAt: Date
}

export const draftReasons = ['below threshold', 'asked for as a draft'] as const
export type DraftReason = (typeof draftReasons)[number]

// What a reply rests on, kept with it.
export type Source = { memory_id: string; document_id: string; title: string; text: string; start_time_utc: string }

export type Draft = {
  personaId: number
  id: string
  sessionId: string
  question: string
  text: string
  score: number
  reason: DraftReason
  sources: Source[]
  sourceApp: string
  createdAt: Date
}
