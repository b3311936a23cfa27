// A reader for tests: it records what it is given, and finds it as answerable as the test says.
import type { Reader } from '../ports/models.ts'

export const readerThatSees = (seen: string[], answerable: number): Reader => ({
  name: 'scripted',
  read: async (_question, passages) => {
    seen.push(...passages)
    return passages.map(() => ({ answerable, relevant: 1, start: 0, end: 1, span: 0 }))
  },
  close: async () => {},
})
