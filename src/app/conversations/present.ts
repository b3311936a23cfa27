// What was said, as callers and owners see it.
import type { z } from 'zod'
import type { EntryAnswer, SessionAnswer } from '../../contract/admin-answers.ts'
import type { HistoryEntry, Reply } from '../../contract/public/answers.ts'
import type { Message, Session, Source } from '../../domain/conversation.ts'
import type { Persona } from '../../domain/persona.ts'

// `told`: the session as the caller calls it.
export const presentReply = (
  persona: Persona,
  { told, sourceApp }: { told: string; sourceApp: string },
  { text, score, sources }: { text: string; score: number; sources: Source[] },
  include: 'sources' | undefined,
): z.output<typeof Reply> => ({
  ai_message: text,
  ai_score: score,
  ai_name: persona.name,
  ai_picture: persona.picture,
  SessionId: told,
  source_app: sourceApp,
  ...(include && { sources: sources.map(({ memory_id: _, ...source }) => source) }),
})

// `sessionId`: as the caller calls it.
export const presentEntry = (persona: Persona, sessionId: string, message: Message): z.output<typeof HistoryEntry> => ({
  ai_message: message.text,
  ai_score: message.score,
  ai_name: persona.name,
  ai_picture: persona.picture,
  raw_message: message.text,
  timestamp: message.time.toISOString(),
  SessionId: sessionId,
  Metadata: { ...message.metadata, role: message.role },
})

export const presentSession = (session: Session): z.output<typeof SessionAnswer> => ({
  id: session.id,
  title: session.title,
  begun_by: session.holder,
  opening: session.opening,
  source_app: session.sourceApp,
  messages: session.messages,
  started_at: session.startedAt.toISOString(),
  last_at: session.lastAt.toISOString(),
})

export const presentMessage = (message: Message): z.output<typeof EntryAnswer> => ({
  id: message.id,
  role: message.role,
  text: message.text,
  score: message.score,
  user_name: message.userName,
  source_app: message.sourceApp,
  metadata: message.metadata,
  created_at: message.time.toISOString(),
})
