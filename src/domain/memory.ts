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

// A memory as recalled for a question, with why.
export type Recollection = {
  memory: Memory
  title: string
  tags: string[]
  score: number
  parts: Record<string, number>
}
