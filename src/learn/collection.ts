// A collection is learned by taking it apart: what comes out of it waits in the queue as documents of their own.
import type { Unpacked as Account, Document } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import { namesOf } from '../domain/names.ts'
import type { Collections } from '../ports/collections.ts'
import type { Learned, Store } from '../ports/store.ts'
import { emptyTally, keepItems, type Tally } from './keep-items.ts'
import { limits } from './limits.ts'
import type { Watch } from './watch.ts'

export type CollectionNeeds = {
  store: Pick<Store, 'documents' | 'origins' | 'personas'>
  collections: Collections
}

export async function unpackCollection(needs: CollectionNeeds, document: Document, watch: Watch): Promise<Learned> {
  const { title, text, startTime, personaId } = document
  const left = { title, startTime, memories: [], traces: [] }
  // It was taken apart before: only what is told about it has changed.
  if (document.fileBytes === 0) return { ...left, text }
  const persona = await needs.store.personas.byId(personaId)
  const tally = emptyTally()
  // What comes out of it can be found by the id of the collection.
  const arrival = { ...document, requestId: document.id }
  const unpacking = needs.collections.unpack(fileOf(needs, document), {
    fileName: document.fileName,
    ownName: persona?.owner.name || persona?.name || 'Me',
    signal: watch.signal,
    onProgress: watch.onProgress,
    take: (items) => keepItems(needs, arrival, items, tally),
  })
  const { formats, leftOut, damaged } = await unpacking.catch((error: unknown) => {
    throw withWhatCameIn(error, tally)
  })
  if (formats.length === 0) throw new AppError('unreadable', 'The file is no export of a program that is known.')
  const { contents, ...counts } = tally
  const account: Account = { formats, ...counts, contents, left_out: leftOut }
  const missing = damaged.length > 0 && { missing: tellDamaged(damaged) }
  return { ...left, text: tell(account), unpacked: JSON.stringify(account), ...missing }
}

// What was kept before it stays.
function withWhatCameIn(error: unknown, { added, changed, unchanged }: Tally): unknown {
  const kept = added + changed + unchanged
  if (!(error instanceof AppError) || error.code !== 'unreadable' || kept === 0) return error
  const stays = `What stands before that came in and stays: ${several(kept, 'document', 'documents')}.`
  return new AppError('unreadable', `${error.message} ${stays}`, { cause: error })
}

const tellDamaged = (damaged: string[]): string =>
  `Damaged in the file: ${namesOf(damaged)}. What could be read of that came in, the rest is missing. Import it again.`

async function* fileOf({ store }: CollectionNeeds, { personaId, id }: Document): AsyncGenerator<Uint8Array> {
  for (let from = 0; ; from += limits.filePieces) {
    const pieces = await store.documents.pieces(personaId, id, from, limits.filePieces)
    yield* pieces
    if (pieces.length < limits.filePieces) return
  }
}

function tell({ formats, added, changed, unchanged, contents, left_out }: Account): string {
  const list = (counts: Record<string, number>, told: (what: string, count: number) => string) =>
    Object.entries(counts)
      .map(([what, count]) => told(what, count))
      .join(', ')
  const lines = [
    `${formats.join(', ')}: ${several(added, 'document is', 'documents are')} new, ` +
      `${several(changed, 'has', 'have')} changed, ${several(unchanged, 'was', 'were')} there already.`,
    Object.keys(contents).length > 0 &&
      `In the file: ${list(contents, (what, count) => several(count, what.replace(/s$/, ''), what))}.`,
    Object.keys(left_out).length > 0 && `Left out: ${list(left_out, (what, count) => `${what} (${count})`)}.`,
  ]
  return lines.filter(Boolean).join('\n')
}

const several = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
