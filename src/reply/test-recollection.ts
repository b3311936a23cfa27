// A recollection for tests, as recall would give it.
import { newId } from '../domain/id.ts'
import type { Recollection } from '../domain/memory.ts'

export const recollection = (
  text: string,
  more: { title?: string; day?: string; speaker?: string } = {},
): Recollection => ({
  memory: {
    personaId: 1,
    id: newId(),
    documentId: 'd',
    position: 0,
    text,
    time: new Date(more.day ?? '2023-05-08'),
    place: { headings: [], page: null, pageStarts: [], start: 0, end: text.length, speaker: more.speaker ?? null },
  },
  title: more.title ?? '',
  tags: [],
  score: 1,
  parts: {},
  passage: { text, own: { start: 0, end: text.length } },
})
