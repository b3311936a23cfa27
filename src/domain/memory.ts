// A memory is what a persona recalls: a passage of a document that knows its place in it and its time.

export type Place = {
  headings: string[]
  page: number | null
  start: number // character range in the document's text
  end: number
  speaker: string | null
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

// A memory as it is looked up, with what its document adds.
export type StoredMemory = { memory: Memory; title: string; tags: string[] }

// A memory as recalled for a question, with why.
export type Recollection = StoredMemory & {
  score: number
  parts: Record<string, number>
  reading?: Reading & { passage: string } // where a reader had time for it; the passage holds the memory's text
}
