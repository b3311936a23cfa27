// One page of a site, or one entry of a feed: asked for if it may have changed, and made a document if it has.
import { createHash } from 'node:crypto'
import { type Document, unlearned } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import type { FollowedSource } from '../domain/followed-source.ts'
import { newId } from '../domain/id.ts'
import type { Content, Extracted, Seen } from '../ports/extractor.ts'
import type { Incoming } from '../ports/origins.ts'
import type { SourcePage } from '../ports/sources.ts'
import type { Store } from '../ports/store.ts'
import { pageOf } from './feed.ts'
import { limits } from './limits.ts'
import { answeredWith } from './manners.ts'
import type { LookNeeds, Wanted } from './wanted.ts'

export type PageNeeds = LookNeeds & { store: Pick<Store, 'origins'> }

// `isTrouble`: the server could not be reached, or failed.
export type Came = { page: SourcePage; incoming?: Incoming; isTrouble?: boolean }

// Throws AppError('unreachable') where the server asks to be left alone.
export async function lookAtPage(
  needs: PageNeeds,
  source: FollowedSource,
  wanted: Wanted,
  known: SourcePage | undefined,
): Promise<Came> {
  const page: SourcePage = {
    url: wanted.url,
    look: source.look,
    outcome: 'same',
    reason: null,
    version: wanted.version,
    hash: known?.hash ?? null,
    etag: known?.etag ?? null,
    lastModified: known?.lastModified ?? null,
    documentId: known?.documentId ?? null,
    fetchedAt: new Date(),
  }
  if (known && isUnchanged(wanted, known)) return { page: { ...page, fetchedAt: known.fetchedAt } }
  try {
    const found = await fetchPage(needs, wanted, known)
    if (found === 'same') return { page }
    if (needs.extractor.isRecording(found.content)) throw new AppError('unreadable', 'It is a recording, and no page.')
    const extracted = await needs.extractor.extract(found.content, { signal: needs.signal })
    return await keep(needs, source, { ...page, ...found.seen }, wanted, { content: found.content, extracted })
  } catch (error) {
    if (!(error instanceof AppError) || !isOfThePage(error) || needs.signal.aborted) throw error
    const isGone = error.code === 'not_found' && page.documentId !== null
    const outcome = isGone ? 'vanished' : 'left out'
    return { page: { ...page, outcome, reason: error.message }, isTrouble: error.code === 'unreachable' }
  }
}

// By what the feed or the sitemap says. A sitemap is believed for a while only.
function isUnchanged({ version, entry }: Wanted, known: SourcePage): boolean {
  if (version === null || version !== known.version || known.outcome === 'left out') return false
  if (known.outcome === 'vanished') return false
  return entry !== undefined || Date.now() - known.fetchedAt.getTime() < limits.recheckMs
}

const isOfThePage = ({ code, retryAfterS }: AppError): boolean =>
  code === 'not_found' || code === 'unreadable' || (code === 'unreachable' && retryAfterS === undefined)

type FoundPage = { content: Content & { url: string }; seen: Seen }

const NOT_SEEN: Seen = { etag: null, lastModified: null }

// An entry that the feed holds whole is not fetched; of one that cannot be, the summary is taken.
async function fetchPage(
  needs: PageNeeds,
  { url, entry }: Wanted,
  known: SourcePage | undefined,
): Promise<FoundPage | 'same'> {
  if (entry?.html) return { content: pageOf(entry, entry.html), seen: NOT_SEEN }
  if (entry && !entry.url) return { content: pageOf(entry, entry.summary ?? ''), seen: NOT_SEEN }
  try {
    const found = await needs.manners.look(entry?.url ?? url, known?.hash ? known : undefined)
    if (found.is === 'same') return 'same'
    if (found.is === 'found') return { content: found.content, seen: found.seen }
    const { status, retryAfterS } = found
    // Too many requests, or none just now: the others would fare no better.
    throw answeredWith(status, status === 429 || status === 503 ? (retryAfterS ?? 0) : null)
  } catch (error) {
    if (!entry?.summary || !(error instanceof AppError) || !isOfThePage(error)) throw error
    return { content: pageOf(entry, entry.summary), seen: NOT_SEEN }
  }
}

type Read = { content: Content & { url: string }; extracted: Extracted }

async function keep(
  { store }: PageNeeds,
  source: FollowedSource,
  page: SourcePage,
  wanted: Wanted,
  read: Read,
): Promise<Came> {
  const document = toDocument(source, wanted, read)
  const hash = hashOf([document.title, document.text])
  // Also where the owner has deleted the document: it comes back when it changes.
  if (page.hash === hash) return { page }
  const name = originOf(source, wanted)
  const before = (await store.origins.known(source.personaId, [name])).get(name)
  if (before?.hash === hash) return { page: { ...page, hash, documentId: before.documentId } }
  const documentId = before?.documentId ?? document.id
  const incoming = { name, hash, document, replaces: before?.documentId, file: read.content.bytes }
  return { page: { ...page, outcome: before ? 'changed' : 'new', hash, documentId }, incoming }
}

// A feed and a site that have a page in common do not replace each other's.
const originOf = (source: FollowedSource, { url, entry }: Wanted): string =>
  entry ? `feed/${hashOf([source.url, url])}` : `page/${url}`

const hashOf = (parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const TITLE_CHARACTERS = 1_000
const TAG_CHARACTERS = 128

function toDocument(source: FollowedSource, { url, entry }: Wanted, { content, extracted }: Read): Document {
  const now = new Date()
  const time = entry?.time ?? extracted.time
  const author = entry?.author ?? extracted.author
  return {
    personaId: source.personaId,
    id: newId(),
    kind: 'url',
    title: clean(entry?.title || extracted.title || url).slice(0, TITLE_CHARACTERS),
    text: extracted.text.toWellFormed().replaceAll('\0', ''),
    rawText: null,
    sourceName: new URL(source.url).host,
    saidBy: null,
    url: entry ? entry.url : url,
    fileName: content.name,
    mediaType: content.mediaType,
    fileBytes: content.bytes.length,
    startTime: time ?? now,
    endTime: null,
    timeGiven: Boolean(entry?.time),
    tags: author ? [clean(author).slice(0, TAG_CHARACTERS)] : [],
    isDraft: false,
    isEdited: false,
    requestId: source.id,
    createdAt: now,
    updatedAt: now,
    ...unlearned,
  }
}

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim()
