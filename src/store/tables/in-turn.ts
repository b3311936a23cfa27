// Rows with texts of any length, a few at a time: whoever asks for a thousand of them never holds a thousand.
import { limits } from '../limits.ts'

export type Sized<Id> = { id: Id; bytes: number }

// `read` gives the rows of these ids in their order; rows gone meanwhile are missing.
export async function* inTurn<Id, Row>(sizes: Sized<Id>[], read: (ids: Id[]) => Promise<Row[]>): AsyncIterable<Row[]> {
  let ids: Id[] = []
  let bytes = 0
  for (const [at, size] of sizes.entries()) {
    ids.push(size.id)
    bytes += size.bytes
    const isLast = at === sizes.length - 1
    if (!isLast && bytes + sizes[at + 1]!.bytes <= limits.readBytes && ids.length < limits.readRows) continue
    yield await read(ids)
    ids = []
    bytes = 0
  }
}
