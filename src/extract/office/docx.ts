// Word documents: the text of every part — body, boxes, notes and comments where they belong, heads and feet once.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { readInner, readNested } from '../nested.ts'
import { writeDiagrams } from './drawing.ts'
import { readNumbering } from './numbering.ts'
import { describe, filedUnder, openFlatPackage, openPackage, type Package, type Relation } from './package.ts'
import { readStyles } from './styles.ts'
import { type Notes, type Work, writeBlocks, writeChunk, writeNote, writeRepeated } from './word-blocks.ts'
import { all, type Element } from './xml.ts'

export function readDocx({ bytes }: Content): Promise<Extracted> {
  return fromPackage(openPackage(bytes))
}

export function readFlatDocx({ bytes }: Content): Promise<Extracted> {
  return fromPackage(openFlatPackage(bytes))
}

async function fromPackage(opened: Package): Promise<Extracted> {
  const main = opened.main && opened.names.includes(opened.main) ? opened.main : findMain(opened)
  const body = opened.xml(main)
  const parts = opened.relations(main).filter((relation) => !relation.external)
  const partsOf = (type: string) => parts.filter((part) => part.type === type).map((part) => opened.xml(part.target))
  const partOf = (type: string) => partsOf(type)[0] ?? opened.xml('')
  const work: Work = {
    composer: createComposer(),
    styles: readStyles(partOf('styles')),
    numbering: readNumbering(partOf('numbering')),
    notes: {
      footnote: notesIn(partOf('footnotes'), 'footnote'),
      endnote: notesIn(partOf('endnotes'), 'endnote'),
      comment: notesIn(partOf('comments'), 'comment'),
    },
    chunks: await readChunks(opened, parts),
    page: 1,
    paged: all(body, 'lastRenderedPageBreak').length > 0,
  }
  writeRepeated(work, partsOf('header'))
  if (work.paged) work.composer.startPage(1)
  writeBlocks(work, body)
  for (const kind of ['footnote', 'endnote', 'comment'] as const)
    for (const id of work.notes[kind].keys()) writeNote(work, kind, id)
  work.composer.startPage(undefined)
  for (const type of ['chart', 'chartEx', 'diagramData', 'glossaryDocument'])
    for (const part of partsOf(type)) writeDiagrams(work.composer, part)
  writeRepeated(work, partsOf('footer'))
  for (const id of work.chunks.keys()) writeChunk(work, id) // those whose place was lost
  await readNested(work.composer, opened, /^word\/embeddings/i)
  work.composer.paragraph(filedUnder(opened))
  return work.composer.finish('docx', describe(opened))
}

// Text, HTML or another Word document, as programs put them in that join documents.
async function readChunks(opened: Package, parts: Relation[]): Promise<Work['chunks']> {
  const chunks: Work['chunks'] = new Map()
  for (const { id, type, target } of parts) {
    const bytes = type === 'aFChunk' ? opened.read(target) : null
    const inner = bytes && (await readInner({ bytes, name: target.split('/').at(-1)!, mediaType: null }))
    if (inner) chunks.set(id, inner)
  }
  return chunks
}

// Broken packages lose their relations, but keep their names.
function findMain(opened: Package): string {
  return opened.names.find((name) => /(^|\/)document\d*\.xml$/i.test(name)) ?? 'word/document.xml'
}

function notesIn(root: Element, name: string): Notes {
  return new Map(
    all(root, name)
      .filter((note) => !/separator|continuationNotice/i.test(note.attributes.type ?? ''))
      .map((note) => [note.attributes.id ?? '', note]),
  )
}
