// Zip archives of documents: each file in it that can be read, under its name.

import { AppError } from '../domain/errors.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import { createComposer } from './composer.ts'
import { readInner, writeInner } from './nested.ts'
import { openZip } from './office/zip.ts'

export async function readArchive({ bytes }: Content): Promise<Extracted> {
  const archive = openZip(bytes)
  if (archive.names.includes('memoir.json') && archive.names.includes('documents.jsonl'))
    throw new AppError('unreadable', 'This is the export of a persona: `memoir import` brings it in.')
  const composer = createComposer()
  for (const name of archive.names) {
    if (name.endsWith('/') || /(^|\/)(\.|__MACOSX\/)/.test(name)) continue
    const inside = archive.read(name)
    const inner = inside && (await readInner({ bytes: inside, name: name.split('/').at(-1)!, mediaType: null }))
    if (inner) writeInner(composer, name, inner)
  }
  if (composer.length === 0) throw new AppError('unreadable', 'The archive holds no document that can be read.')
  return composer.finish('archive')
}
