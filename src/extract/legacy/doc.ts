// Word before 2007: the text lies in pieces that a table puts in order.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { openCompound } from './compound.ts'
import { type Labels, readLabels } from './doc-lists.ts'
import { writeEmbedded } from './ole.ts'
import { describeCompound } from './summary.ts'

export async function readDoc({ bytes }: Content): Promise<Extracted> {
  const compound = openCompound(bytes)
  const main = compound.read('WordDocument')
  if (!main || main.length < 0x200) throw new AppError('unreadable', 'The Word document is damaged and cannot be read.')
  const flags = main.readUInt16LE(0x0a)
  if (flags & 0x0100) throw new AppError('unreadable', 'The Word document is encrypted with a password.')
  const table = compound.read(flags & 0x0200 ? '1Table' : '0Table')
  const text = (table && fromPieces(main, table, readLabels(main, table))) || fromRange(main)
  const composer = createComposer()
  writeText(composer, withoutFields(text))
  await writeEmbedded(composer, compound)
  return composer.finish('doc', describeCompound(compound))
}

// Stands before the label of a paragraph in a list; of a paragraph's own text it is none.
const IN_LIST = '\x1a'

function fromPieces(main: Buffer, table: Buffer, labels: Labels): string | null {
  if (main.length < 0x1aa) return null
  const start = main.readUInt32LE(0x01a2)
  const stop = Math.min(table.length, start + main.readUInt32LE(0x01a6))
  let at = start
  // Formatting exceptions come first; each says its length.
  while (at + 3 <= stop && table[at] === 1) at += 3 + table.readUInt16LE(at + 1)
  if (at + 5 > stop || table[at] !== 2) return null
  const length = Math.min(table.readUInt32LE(at + 1), stop - at - 5)
  const count = Math.floor((length - 4) / 12)
  const places = at + 5
  const pieces = places + (count + 1) * 4
  let [text, paragraph] = ['', '']
  for (let index = 0; index < count; index++) {
    const letters = table.readUInt32LE(places + (index + 1) * 4) - table.readUInt32LE(places + index * 4)
    const place = table.readUInt32LE(pieces + index * 8 + 2)
    if (letters <= 0 || letters > main.length) continue
    const width = place & 0x40000000 ? 1 : 2
    const from = width === 1 ? (place & 0x3fffffff) / 2 : place
    const bytes = main.subarray(from, from + letters * width)
    const piece = width === 1 ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('utf16le')
    let begun = 0
    for (const { index: at } of piece.matchAll(/[\r\x07\f]/g)) {
      paragraph += piece.slice(begun, at + 1)
      begun = at + 1
      const label = /[^\s\x07]/.test(paragraph) ? labels(from + at * width) : null
      text += label === null ? paragraph : `${IN_LIST}${label} ${paragraph}`
      paragraph = ''
    }
    paragraph += piece.slice(begun)
  }
  return text + paragraph
}

// Word 6 and 95 have no pieces unless saved fast: one run of single bytes.
function fromRange(main: Buffer): string {
  return new TextDecoder('windows-1252').decode(main.subarray(main.readUInt32LE(0x18), main.readUInt32LE(0x1c)))
}

// A field is its instruction, then its result: only the result is read.
function withoutFields(text: string): string {
  const parts: string[] = []
  const open: boolean[] = [] // whether the instruction is over
  for (const part of text.split(/([\x13\x14\x15])/)) {
    if (part === '\x13') open.push(false)
    else if (part === '\x14') open[open.length - 1] = true
    else if (part === '\x15') open.pop()
    else if (open.every(Boolean)) parts.push(part)
  }
  return parts.join('')
}

function writeText(composer: Composer, text: string): void {
  for (const paragraph of text.split(/[\r\f]/)) {
    if (!paragraph.includes('\x07')) writeParagraph(composer, paragraph)
    else writeRows(composer, paragraph)
  }
}

function writeParagraph(composer: Composer, text: string): void {
  if (text.startsWith(IN_LIST)) composer.item(shown(text))
  else composer.paragraph(shown(text))
}

// Cells end with a mark, and a row with one more.
function writeRows(composer: Composer, text: string): void {
  const marks = text.split('\x07')
  let cells: string[] = []
  for (const [index, cell] of marks.entries()) {
    if (cell === '' && cells.length > 0) {
      composer.row(cells)
      cells = []
    } else if (index === marks.length - 1) {
      composer.row(cells)
      cells = []
      writeParagraph(composer, cell)
    } else cells.push(shown(cell))
  }
}

function shown(text: string): string {
  return text
    .replace(/\x0b/g, '\n')
    .replace(/\x1e/g, '-')
    .replace(/\xa0/g, ' ')
    .replace(/[\x01-\x08\x0e-\x1f]/g, '')
}
