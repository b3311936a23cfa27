// Writes what Word's formats have in common: paragraphs, tables, boxes and notes, without what is deleted or hidden.

import type { Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { writeInner } from '../nested.ts'
import { pageBadge } from '../page-badge.ts'
import type { Numbering } from './numbering.ts'
import { isDeleted, paragraphText } from './runs.ts'
import type { Look, Styles } from './styles.ts'
import { all, child, childrenOf, type Element } from './xml.ts'

export type Notes = Map<string, Element>
export type Work = {
  composer: Composer
  styles: Styles
  numbering: Numbering
  notes: { footnote: Notes; endnote: Notes; comment: Notes }
  chunks: Map<string, Extracted> // documents that it includes whole, by the id of their relation
  paged: boolean
  page: number
}

// Heads and feet differ between first, odd and even pages mostly in nothing: each text is written once, and the number
// of a page never.
export function writeRepeated(work: Work, parts: Element[]): void {
  const seen = new Set<string>()
  for (const part of parts) {
    const inner = createComposer()
    writeBlocks({ ...work, composer: inner, paged: false }, part)
    const { text, blocks } = inner.finish('')
    for (const block of blocks) {
      const words = text.slice(block.start, block.end)
      if (!seen.has(words) && !pageBadge(words))
        work.composer.add(block.kind === 'heading' ? 'paragraph' : block.kind, words)
      seen.add(words)
    }
  }
}

export function writeBlocks(work: Work, element: Element): void {
  for (const inner of childrenOf(element)) {
    if (isDeleted(inner)) continue
    if (inner.name === 'p') writeParagraph(work, inner)
    else if (inner.name === 'tbl') writeTable(work, inner)
    else if (inner.name === 'altChunk') writeChunk(work, inner.attributes.id ?? '')
    else if (inner.name === 'AlternateContent')
      writeBlocks(work, child(inner, 'Choice') ?? child(inner, 'Fallback') ?? inner)
    else if (inner.name !== 'sectPr') writeBlocks(work, inner)
  }
}

// Where it is included, and only once.
export function writeChunk(work: Work, id: string): void {
  const chunk = work.chunks.get(id)
  if (!chunk) return
  work.chunks.delete(id)
  writeInner(work.composer, null, chunk)
}

// A note stands after the paragraph that speaks of it, and only once.
export function writeNote(work: Work, kind: 'footnote' | 'endnote' | 'comment', id: string): void {
  const note = work.notes[kind].get(id)
  if (!note) return
  work.notes[kind].delete(id)
  writeBlocks(work, note)
}

function writeParagraph(work: Work, paragraph: Element): void {
  const { composer } = work
  const found = textOf(work, paragraph)
  if (work.paged && found.pageBreaks > 0) {
    work.page += found.pageBreaks
    composer.startPage(work.page)
  }
  const look = work.styles.of(paragraph)
  const text = numberedText(work, look, found.text)
  if (look.isContents) composer.add('paragraph', text, { isContents: true })
  else if (look.level) composer.heading(look.level, text)
  else if (look.listed) composer.item(text)
  else composer.paragraph(text)
  for (const box of found.boxes) writeBlocks(work, box)
  for (const { kind, id } of found.references) writeNote(work, kind, id)
}

const textOf = ({ styles }: Work, paragraph: Element) => paragraphText(paragraph, (run) => styles.hides(run, paragraph))

// An empty paragraph does not count.
function numberedText({ numbering }: Work, { numbered }: Look, text: string): string {
  const label = numbered && text.trim() ? numbering.label(numbered) : ''
  return label ? `${label} ${text}` : text
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
      for (const { kind, id } of textOf(work, paragraph).references) writeNote(work, kind, id)
  }
}

function cellText(work: Work, cell: Element, later: Element[]): string {
  const texts: string[] = []
  const visit = (element: Element): void => {
    for (const inner of childrenOf(element)) {
      if (inner.name === 'p') {
        const found = textOf(work, inner)
        if (work.paged) work.page += found.pageBreaks
        texts.push(numberedText(work, work.styles.of(inner), found.text))
        later.push(...found.boxes)
      } else if (inner.name !== 'tbl' && !isDeleted(inner)) visit(inner)
    }
  }
  visit(cell)
  return texts.join(' ')
}

// A deleted row or cell says so in its properties.
function rowsOf(table: Element): Element[] {
  return childrenOf(table).flatMap((inner) => {
    if (inner.name === 'tr') return child(child(inner, 'trPr'), 'del') ? [] : [inner]
    return inner.name === 'tblPr' || isDeleted(inner) ? [] : rowsOf(inner)
  })
}

function cellsOf(row: Element): Element[] {
  return childrenOf(row).flatMap((inner) => {
    if (inner.name === 'tc') return child(child(inner, 'tcPr'), 'cellDel') ? [] : [inner]
    return /Pr$/.test(inner.name) ? [] : cellsOf(inner)
  })
}
