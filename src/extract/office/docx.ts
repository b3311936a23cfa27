// Word documents: the text of every part — body, text boxes, notes and comments where they belong, heads and feet once.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { readInner, readNested, writeInner } from '../nested.ts'
import { writeDiagrams } from './drawing.ts'
import { type Numbering, readNumbering } from './numbering.ts'
import { describe, filedUnder, openFlatPackage, openPackage, type Package, type Relation } from './package.ts'
import { paragraphText } from './runs.ts'
import { type Look, readStyles, type Styles } from './styles.ts'
import { all, child, childrenOf, type Element } from './xml.ts'

type Notes = Map<string, Element>
type Work = {
  composer: Composer
  styles: Styles
  numbering: Numbering
  notes: { footnote: Notes; endnote: Notes; comment: Notes }
  chunks: Map<string, Extracted> // documents that it includes whole, by the id of their relation
  paged: boolean
  page: number
}

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
  const partOf = (type: string) => opened.xml(parts.find((part) => part.type === type)?.target ?? '')
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
  writeRepeated(
    work,
    opened,
    parts.filter((part) => part.type === 'header').map((part) => part.target),
  )
  if (work.paged) work.composer.startPage(1)
  writeBlocks(work, body)
  for (const kind of ['footnote', 'endnote', 'comment'] as const)
    for (const id of work.notes[kind].keys()) writeNote(work, kind, id)
  work.composer.startPage(undefined)
  for (const part of parts.filter(
    ({ type }) => type === 'chart' || type === 'diagramData' || type === 'glossaryDocument',
  ))
    writeDiagrams(work.composer, opened.xml(part.target))
  writeRepeated(
    work,
    opened,
    parts.filter((part) => part.type === 'footer').map((part) => part.target),
  )
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

// Where it is included, and only once.
function writeChunk(work: Work, id: string): void {
  const chunk = work.chunks.get(id)
  if (!chunk) return
  work.chunks.delete(id)
  writeInner(work.composer, null, chunk)
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

// Heads and feet differ between first, odd and even pages mostly in nothing: each text is written once.
function writeRepeated(work: Work, opened: Package, names: string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    const inner = createComposer()
    writeBlocks({ ...work, composer: inner, paged: false }, opened.xml(name))
    const { text, blocks } = inner.finish('')
    for (const block of blocks) {
      const words = text.slice(block.start, block.end)
      if (!seen.has(words)) work.composer.add(block.kind === 'heading' ? 'paragraph' : block.kind, words)
      seen.add(words)
    }
  }
}

function writeBlocks(work: Work, element: Element): void {
  for (const inner of childrenOf(element)) {
    if (inner.name === 'p') writeParagraph(work, inner)
    else if (inner.name === 'tbl') writeTable(work, inner)
    else if (inner.name === 'altChunk') writeChunk(work, inner.attributes.id ?? '')
    else if (inner.name === 'AlternateContent')
      writeBlocks(work, child(inner, 'Choice') ?? child(inner, 'Fallback') ?? inner)
    else if (inner.name !== 'sectPr' && inner.name !== 'del' && inner.name !== 'moveFrom') writeBlocks(work, inner)
  }
}

function writeParagraph(work: Work, paragraph: Element): void {
  const { composer, styles } = work
  const found = paragraphText(paragraph)
  if (work.paged && found.pageBreaks > 0) {
    work.page += found.pageBreaks
    composer.startPage(work.page)
  }
  const look = styles.of(paragraph)
  const text = numberedText(work, look, found.text)
  if (look.level) composer.heading(look.level, text)
  else if (look.listed) composer.item(text)
  else composer.paragraph(text)
  for (const box of found.boxes) writeBlocks(work, box)
  for (const { kind, id } of found.references) writeNote(work, kind, id)
}

// An empty paragraph does not count.
function numberedText({ numbering }: Work, { numbered }: Look, text: string): string {
  const label = numbered && text.trim() ? numbering.label(numbered) : ''
  return label ? `${label} ${text}` : text
}

// A note stands after the paragraph that speaks of it, and only once.
function writeNote(work: Work, kind: 'footnote' | 'endnote' | 'comment', id: string): void {
  const note = work.notes[kind].get(id)
  if (!note) return
  work.notes[kind].delete(id)
  writeBlocks(work, note)
}

// A cell that holds blocks of its own, such as a table in a table, is written after its row.
function writeTable(work: Work, table: Element): void {
  for (const row of rowsOf(table)) {
    const later: Element[] = []
    const cells = cellsOf(row).map((cell) => {
      later.push(...childrenOf(cell).filter((inner) => inner.name === 'tbl'))
      return cellText(work, cell, later)
    })
    if (cells.length === 1) work.composer.paragraph(cells[0]!)
    else work.composer.row(cells)
    for (const element of later) element.name === 'tbl' ? writeTable(work, element) : writeBlocks(work, element)
    for (const paragraph of all(row, 'p'))
      for (const { kind, id } of paragraphText(paragraph).references) writeNote(work, kind, id)
  }
}

function cellText(work: Work, cell: Element, later: Element[]): string {
  const texts: string[] = []
  const visit = (element: Element): void => {
    for (const inner of childrenOf(element)) {
      if (inner.name === 'p') {
        const found = paragraphText(inner)
        if (work.paged) work.page += found.pageBreaks
        texts.push(numberedText(work, work.styles.of(inner), found.text))
        later.push(...found.boxes)
      } else if (inner.name !== 'tbl' && inner.name !== 'del') visit(inner)
    }
  }
  visit(cell)
  return texts.join(' ')
}

function rowsOf(table: Element): Element[] {
  return childrenOf(table).flatMap((inner) =>
    inner.name === 'tr' ? [inner] : inner.name === 'tblPr' ? [] : rowsOf(inner),
  )
}

function cellsOf(row: Element): Element[] {
  return childrenOf(row).flatMap((inner) =>
    inner.name === 'tc' ? [inner] : /Pr$/.test(inner.name) ? [] : cellsOf(inner),
  )
}
