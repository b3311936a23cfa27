// Excel: each sheet is a page with its rows, then what is written in its shapes, comments and margins.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { limits } from '../limits.ts'
import { readNested } from '../nested.ts'
import { paragraphsIn, writeDiagrams } from './drawing.ts'
import { createFormatter, type Formatter } from './number-format.ts'
import { describe, filedUnder, openPackage, type Package } from './package.ts'
import { all, child, childrenOf, type Element, eachXml, textIn } from './xml.ts'

type Book = { strings: string[]; formatter: Formatter; formats: string[]; cells: number }

export async function readXlsx({ bytes }: Content): Promise<Extracted> {
  const opened = openPackage(bytes)
  const main = opened.main ?? 'xl/workbook.xml'
  const workbook = opened.xml(main)
  const relations = opened.relations(main)
  const target = (type: string) => relations.find((relation) => relation.type === type)?.target ?? ''
  const book: Book = {
    strings: sharedStrings(opened.read(target('sharedStrings'))),
    formats: cellFormats(opened.xml(target('styles'))),
    formatter: createFormatter(all(workbook, 'workbookPr')[0]?.attributes.date1904 === '1'),
    cells: 0,
  }
  const composer = createComposer()
  for (const [index, sheet] of all(workbook, 'sheet').entries()) {
    const { id } = sheet.attributes
    const part = relations.find((relation) => relation.id === (sheet.attributes['r:id'] ?? id))?.target
    composer.startPage(index + 1)
    composer.heading(1, sheet.attributes.name ?? '')
    if (part) writeSheet(composer, opened, part, book)
  }
  composer.startPage(undefined)
  await readNested(composer, opened, /^xl\/embeddings/i)
  composer.paragraph(filedUnder(opened))
  return composer.finish('xlsx', describe(opened))
}

function writeSheet(composer: Composer, opened: Package, part: string, book: Book): void {
  const xml = opened.read(part)
  const margins: string[] = []
  if (xml)
    eachRow(
      xml,
      book,
      (cells) => composer.row(cells),
      (text) => margins.push(text),
    )
  for (const text of new Set(margins)) composer.paragraph(marginText(text))
  for (const { type, target, external } of opened.relations(part)) {
    if (external) continue
    if (type === 'drawing') writeDrawing(composer, opened, target)
    if (type === 'comments')
      for (const comment of all(opened.xml(target), 'comment'))
        composer.paragraph(all(comment, 't').map(textIn).join(''))
    if (type === 'threadedComment') for (const text of all(opened.xml(target), 'text')) composer.paragraph(textIn(text))
  }
}

function writeDrawing(composer: Composer, opened: Package, part: string): void {
  for (const body of all(opened.xml(part), 'txBody'))
    for (const { text } of paragraphsIn(body)) composer.paragraph(text)
  for (const { type, target } of opened.relations(part))
    if (type === 'chart' || type === 'chartEx' || type === 'diagramData') writeDiagrams(composer, opened.xml(target))
}

// Row by row as they come: a sheet may be far larger than its tree could be.
function eachRow(
  xml: Uint8Array,
  book: Book,
  onRow: (cells: string[]) => void,
  onMargin: (text: string) => void,
): void {
  let row: string[] = []
  let cell: { type: string; style: number; column: number } | null = null
  let [value, within] = ['', '']
  eachXml(xml, {
    open(name, attributes) {
      if (name === 'row') row = []
      else if (name === 'c') {
        if (++book.cells > limits.sheetCells)
          throw new AppError('unreadable', `The workbook has more than ${limits.sheetCells} cells.`)
        cell = {
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          column: columnOf(attributes.r) ?? row.length,
        }
        value = ''
      } else if (
        name === 'v' ||
        name === 't' ||
        name === 'f' ||
        name === 'rPh' ||
        /^(odd|even|first)(Header|Footer)$/.test(name)
      )
        within = name
    },
    text(text) {
      if (within === 'v' || within === 't') value += text
      else if (/Header|Footer/.test(within)) onMargin(text)
    },
    close(name) {
      if (name === within) within = ''
      else if (name === 'c' && cell) {
        // A far column does not make a row of a million empty cells.
        while (row.length < Math.min(cell.column, row.length + 64)) row.push('')
        row.push(cellText(book, cell, value))
        cell = null
      } else if (name === 'row') onRow(row)
    },
  })
}

function cellText(book: Book, { type, style }: { type: string; style: number }, value: string): string {
  if (type === 's') return book.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value
  if (type === 'n' || type === '')
    return value.trim() === '' ? '' : book.formatter(Number(value), book.formats[style] ?? 'General')
  return value
}

function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0]
  if (!letters) return null
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function sharedStrings(xml: Uint8Array | null): string[] {
  const strings: string[] = []
  if (!xml) return strings
  let [current, reading, within, phonetic] = ['', '', false, false]
  eachXml(xml, {
    open(name) {
      if (name === 'si') [current, reading] = ['', '']
      else if (name === 't') within = true
      else if (name === 'rPh') phonetic = true
    },
    text(text) {
      if (within && phonetic) reading += ` ${text}`
      else if (within) current += text
    },
    close(name) {
      if (name === 'si') strings.push(current + reading)
      else if (name === 't') within = false
      else if (name === 'rPh') phonetic = false
    },
  })
  return strings
}

function cellFormats(styles: Element): string[] {
  const named = new Map(
    all(styles, 'numFmt').map(({ attributes }) => [attributes.numFmtId ?? '', attributes.formatCode ?? '']),
  )
  return childrenOf(child(child(styles, 'styleSheet'), 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = attributes.numFmtId ?? '0'
    return named.get(id) ?? `#${id}`
  })
}

// "&L&"Arial"Left&CPage &P": left, centre and right parts with codes between.
function marginText(text: string): string {
  return text
    .replace(/&"[^"]*"/g, '')
    .replace(/&[LCR]/g, ' ')
    .replace(/&(?:\d+|K[0-9A-F]{6}|[A-Z])/gi, '')
    .trim()
}
