// Documents inside documents: attachments and embedded files are read like any other, within bounds.

import { AppError } from '../domain/errors.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import type { Composer } from './composer.ts'
import { limits } from './limits.ts'
import type { Archive } from './office/zip.ts'

type Read = (content: Content) => Promise<Extracted>

// What one reading may still open, and how: kept here because a thread reads one document at a time.
let nesting: { depth: number; left: number; read: Read } | undefined

// Readers open inner documents through here, so the table of readers is handed in, not imported.
export function startNesting(read: Read): void {
  nesting = { depth: 0, left: limits.nestedDocuments, read }
}

// Whether another one would be opened.
export const mayReadMore = (): boolean => nesting !== undefined && nesting.left > 0

// Null where the inner file is none that can be read: the outer one does not fail for it.
export async function readInner(content: Content): Promise<Extracted | null> {
  if (!nesting || nesting.depth >= limits.nestedDepth || nesting.left <= 0 || content.bytes.length === 0) return null
  nesting.left--
  nesting.depth++
  try {
    return await nesting.read(content)
  } catch (error) {
    if (error instanceof AppError || error instanceof Error) return null
    throw error
  } finally {
    nesting.depth--
  }
}

// Writes an inner document under its name.
export function writeInner(composer: Composer, name: string | null, inner: Extracted): void {
  if (name) composer.heading(2, name)
  for (const block of inner.blocks) {
    const { kind, start, end, ...details } = block
    const { page: _page, ...kept } = details
    composer.add(
      kind,
      inner.text.slice(start, end),
      kind === 'heading' ? { level: Math.min(6, (block.level ?? 1) + 2) } : kept,
    )
  }
}

export async function readNested(composer: Composer, archive: Archive, place: RegExp): Promise<void> {
  for (const name of archive.names) {
    if (!place.test(name)) continue
    const bytes = archive.read(name)
    const inner = bytes && (await readInner({ bytes, name: name.split('/').at(-1)!, mediaType: null }))
    if (inner) writeInner(composer, null, inner)
  }
}
