// Things that come from elsewhere again and again become documents: the new ones are added, those that changed take
// the place of what they were, the rest stays as it is.
import { createHash } from 'node:crypto'
import { type Document, unlearned } from '../domain/document.ts'
import { newId } from '../domain/id.ts'
import type { Item } from '../ports/collections.ts'
import type { Incoming, Known } from '../ports/origins.ts'
import type { Store } from '../ports/store.ts'

// Where they go, and with what they came.
export type Arrival = Pick<Document, 'personaId' | 'requestId' | 'tags' | 'isDraft' | 'createdAt'>

export type Tally = { added: number; changed: number; unchanged: number; contents: Record<string, number> }

export const emptyTally = (): Tally => ({ added: 0, changed: 0, unchanged: 0, contents: {} })

type Needs = { store: Pick<Store, 'documents' | 'origins'> }

export async function keepItems(needs: Needs, arrival: Arrival, items: Item[], tally: Tally): Promise<void> {
  const { store } = needs
  const known = await store.origins.known(
    arrival.personaId,
    items.map((item) => item.name),
  )
  const incoming: Incoming[] = []
  for (const item of items) {
    for (const [what, count] of Object.entries(item.counts)) tally.contents[what] = (tally.contents[what] ?? 0) + count
    const before = known.get(item.name)
    const hash = hashOf(item)
    const came = await cameAs(needs, arrival, item, hash, before)
    tally[came.as]++
    if (!came.isKept)
      incoming.push({
        name: item.name,
        hash,
        document: toDocument(arrival, item),
        file: item.file?.bytes,
        replaces: before?.documentId,
      })
  }
  await store.origins.keep(arrival.personaId, incoming)
}

type Came = { as: 'added' | 'changed' | 'unchanged'; isKept: boolean }

async function cameAs(
  { store }: Needs,
  arrival: Arrival,
  item: Item,
  hash: string,
  before: Known | undefined,
): Promise<Came> {
  if (!before) return { as: 'added', isKept: false }
  if (before.hash === hash) {
    // By an attempt that was broken off: it counts as what it was then.
    const isMine = before.requestId === arrival.requestId
    return { as: !isMine ? 'unchanged' : before.createdAt >= arrival.createdAt ? 'added' : 'changed', isKept: true }
  }
  const kept = item.grows && (await store.documents.get(arrival.personaId, before.documentId))
  return kept && holdsAll(kept.text, item.text) ? { as: 'unchanged', isKept: true } : { as: 'changed', isKept: false }
}

// An export may begin later than the one before: what it does not hold is not gone.
function holdsAll(text: string, part: string): boolean {
  const lines = new Set(text.split('\n'))
  return part.split('\n').every((line) => lines.has(line))
}

const hashOf = ({ name, title, text, time, tags, url, file }: Item): string =>
  createHash('sha256')
    .update(JSON.stringify(file ? [name] : [title, text, time, tags, url]))
    .digest('base64url')

const toDocument = (arrival: Arrival, item: Item): Document => {
  const now = new Date()
  return {
    personaId: arrival.personaId,
    id: newId(),
    kind: item.file ? 'file' : 'text',
    title: item.title.toWellFormed().replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_CHARACTERS),
    text: item.text.toWellFormed().replaceAll('\0', ''),
    rawText: null,
    sourceName: item.source,
    saidBy: null,
    url: item.url,
    fileName: item.file?.name ?? null,
    mediaType: item.file?.mediaType ?? null,
    fileBytes: item.file?.bytes.length ?? 0,
    startTime: item.time ?? now,
    endTime: item.endTime,
    timeGiven: item.time !== null,
    tags: [...new Set([...arrival.tags, ...item.tags])].slice(0, TAGS).map((tag) => tag.slice(0, TAG_CHARACTERS)),
    isDraft: arrival.isDraft,
    isEdited: false,
    requestId: arrival.requestId,
    createdAt: now,
    updatedAt: now,
    ...unlearned,
  }
}

const TITLE_CHARACTERS = 1_000
const TAGS = 64
const TAG_CHARACTERS = 128
