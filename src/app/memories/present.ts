// Memories as callers and owners see them.
import type { z } from 'zod'
import type * as admin from '../../contract/admin-answers.ts'
import type * as api from '../../contract/public/answers.ts'
import type { RecollectionAnswer } from '../../contract/recall-api.ts'
import type { Document } from '../../domain/document.ts'
import type { KnownMemory, Recollection } from '../../domain/memory.ts'
import { offsetTime } from '../times.ts'

type Answer = z.output<typeof api.MemoryAnswer>

export const presentMemory = ({ text, startTime, sourceName, tags }: Document): Answer =>
  answerOf([{ text, time: startTime, source: sourceName, tags }])

export const presentMemories = (memories: KnownMemory[]): Answer =>
  answerOf(memories.map(({ memory: { text, time }, title, tags }) => ({ text, time, source: title, tags })))

const answerOf = (memories: { text: string; time: Date; source: string; tags: string[] }[]): Answer => ({
  type: 'memory',
  payload: [
    {
      data: memories.map(({ text, time, source, tags }) => ({
        type: 'MEMORY',
        memlevel: 'MEMBLOCK',
        memlabel: text,
        start_time_utc: offsetTime(time),
        source: { type: 'text', name: source },
        topics: tags.map((value) => ({ value })),
      })),
    },
  ],
})

export const presentKnownMemory = ({ memory, title, tags }: KnownMemory): z.output<typeof admin.MemoryAnswer> => ({
  id: memory.id,
  document_id: memory.documentId,
  title,
  text: memory.text,
  topics: tags,
  headings: memory.place.headings,
  page: memory.place.page,
  speaker: memory.place.speaker,
  start: memory.place.start,
  end: memory.place.end,
  start_time_utc: memory.time.toISOString(),
})

export const presentRecollection = (one: Recollection): z.output<typeof RecollectionAnswer> => ({
  memory_id: one.memory.id,
  document_id: one.memory.documentId,
  title: one.title,
  text: one.memory.text,
  topics: one.tags,
  start_time_utc: one.memory.time.toISOString(),
  score: one.score,
  parts: one.parts,
})
