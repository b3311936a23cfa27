// A memory is what a persona recalls: a passage of a document that knows its place in it and its time.
import type { Range } from './reply.ts'

export type Place = {
  headings: string[]
  page: number | null // where it begins, of the file it comes from: page, slide or sheet
  pageStarts: PageStart[] // where it goes on; memories learned by an earlier version have none
  start: number // character range in the document's text
  end: number
  speaker: string | null
}

// From this character of the memory's text on it lies on that page. Null: on none.
export type PageStart = { start: number; page: number | null }

// The page of the character there in the memory's text.
export function pageAt({ page, pageStarts }: Pick<Place, 'page' | 'pageStarts'>, at: number): number | null {
  const last = pageStarts.findLast(({ start }) => start <= at)
  return last ? last.page : page
}

export type Memory = {
  personaId: number
  id: string
  documentId: string
  position: number
  text: string
  time: Date
  place: Place
}

// A question and a passage, read together.
export type Reading = {
  answerable: number // probability that the passage answers the question
  relevant: number // probability that the passage is about what is asked
  start: number // the best answer: a character range of the passage
  end: number
  span: number // the answer's own logit, above that of "no answer here"
}

// A memory as looked up, with what its document says of it.
export type KnownMemory = { memory: Memory; title: string; tags: string[] }

// The text a memory is read in: its own, for a turn of a chat with its date and the question it answers.
export type Passage = {
  text: string
  own: Range // where the memory's own text lies
}

// A memory as recalled for a question, with why.
export type Recollection = KnownMemory & {
  score: number
  parts: Record<string, number>
  passage: Passage
  reading?: Reading // of the passage, where a reader had time for it
}
