// Excel before 2007: a stream of records, sheet after sheet.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { createFormatter, type Formatter } from '../office/number-format.ts'
import { progressed } from '../progress.ts'
import { openCompound } from './compound.ts'
import { writeEmbedded } from './ole.ts'
import { codePageLabel } from './rtf-words.ts'
import { describeCompound } from './summary.ts'
import { type Strings, sharedStrings, shortString, textBox } from './xls-strings.ts'

type Cells = Map<number, Map<number, string>>
type Book = {
  strings: string[]
  formats: Map<number, string>
  looks: number[] // format of each cell style
  formatter: Formatter
  names: string[]
  text: Strings
}

export async function readXls({ bytes }: Content): Promise<Extracted> {
  const compound = openCompound(bytes)
  const name = compound.entries.find((entry) => /^(workbook|book)$/i.test(entry.path))?.path
  const stream = name ? compound.read(name) : null
  if (!stream) throw new AppError('unreadable', 'The workbook is damaged and cannot be read.')
  const composer = createComposer()
  writeBook(composer, stream)
  await writeEmbedded(composer, compound)
  return composer.finish('xls', describeCompound(compound))
}

function writeBook(composer: Composer, stream: Buffer): void {
  const book: Book = {
    strings: [],
    formats: new Map(),
    looks: [],
    formatter: createFormatter(false),
    names: [],
    text: { wide: true, label: 'windows-1252' },
  }
  let cells: Cells = new Map()
  let extras: string[] = []
  let [sheet, depth, formulaAt] = [0, 0, null as [number, number] | null]
  const put = (row: number, column: number, text: string) => {
    if (!cells.has(row)) cells.set(row, new Map())
    cells.get(row)!.set(column, text)
  }
  const number = (value: number, style: number) =>
    book.formatter(value, book.formats.get(book.looks[style] ?? 0) ?? `#${book.looks[style] ?? 0}`)

  for (let at = 0; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at)
    const record = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2))
    const next = at + 4 + stream.readUInt16LE(at + 2)
    progressed(at / stream.length)
    try {
      if (type === 0x0809) {
        if (++depth === 1 && record.length >= 4) {
          book.text.wide = record.readUInt16LE(0) >= 0x0600
          if (record.readUInt16LE(2) !== 5) sheet++
        }
      } else if (type === 0x000a && --depth <= 0) {
        if (sheet > 0) writeSheet(composer, sheet, book.names[sheet - 1] ?? '', cells, extras)
        ;[cells, extras, depth] = [new Map(), [], 0]
      } else if (type === 0x002f) throw new AppError('unreadable', 'The workbook is encrypted with a password.')
      else if (type === 0x0042) book.text.label = codePageLabel(record.readUInt16LE(0))
      else if (type === 0x0022) book.formatter = createFormatter(record.readUInt16LE(0) === 1)
      else if (type === 0x0085) book.names.push(shortString(record, 6, 1, book.text))
      else if (type === 0x041e || type === 0x001e)
        book.formats.set(record.readUInt16LE(0), shortString(record, 2, book.text.wide ? 2 : 1, book.text))
      else if (type === 0x00e0) book.looks.push(record.readUInt16LE(2))
      else if (type === 0x00fc) book.strings = sharedStrings(stream, at)
      else if (type === 0x00fd)
        put(record.readUInt16LE(0), record.readUInt16LE(2), book.strings[record.readUInt32LE(6)] ?? '')
      else if (type === 0x0204 || type === 0x00d6)
        put(record.readUInt16LE(0), record.readUInt16LE(2), shortString(record, 6, 2, book.text))
      else if (type === 0x0203)
        put(record.readUInt16LE(0), record.readUInt16LE(2), number(record.readDoubleLE(6), record.readUInt16LE(4)))
      else if (type === 0x027e)
        put(
          record.readUInt16LE(0),
          record.readUInt16LE(2),
          number(packed(record.readUInt32LE(6)), record.readUInt16LE(4)),
        )
      else if (type === 0x00bd) {
        const first = record.readUInt16LE(2)
        for (let cell = 4, column = first; cell + 6 <= record.length - 2; cell += 6, column++)
          put(record.readUInt16LE(0), column, number(packed(record.readUInt32LE(cell + 2)), record.readUInt16LE(cell)))
      } else if (type === 0x0006) {
        const [row, column] = [record.readUInt16LE(0), record.readUInt16LE(2)]
        // A formula's result is a number, or says that a string follows.
        if (record.readUInt16LE(12) !== 0xffff) put(row, column, number(record.readDoubleLE(6), record.readUInt16LE(4)))
        else if (record[6] === 0) formulaAt = [row, column]
        else if (record[6] === 1) put(row, column, record[8] ? 'TRUE' : 'FALSE')
      } else if (type === 0x0207 && formulaAt) {
        put(formulaAt[0], formulaAt[1], shortString(record, 0, 2, book.text))
        formulaAt = null
      } else if (type === 0x0205 && record[7] === 0)
        put(record.readUInt16LE(0), record.readUInt16LE(2), record[6] ? 'TRUE' : 'FALSE')
      else if (type === 0x01b6) extras.push(textBox(stream, next))
      else if ((type === 0x0014 || type === 0x0015) && record.length > 1)
        extras.push(shortString(record, 0, book.text.wide ? 2 : 1, book.text).replace(/&"[^"]*"|&\d+|&[A-Z]/g, ' '))
    } catch (error) {
      // A record that ends too early is left out; the next one may be whole.
      if (error instanceof AppError) throw error
    }
    at = next
  }
  if (cells.size > 0) writeSheet(composer, sheet, book.names[sheet - 1] ?? '', cells, extras)
}

function writeSheet(composer: Composer, number: number, name: string, cells: Cells, extras: string[]): void {
  composer.startPage(number)
  composer.heading(1, name)
  for (const [, row] of [...cells].sort((one, two) => one[0] - two[0])) {
    const columns = [...row].sort((one, two) => one[0] - two[0])
    const list: string[] = []
    for (const [column, text] of columns) {
      while (list.length < Math.min(column, list.length + 64)) list.push('')
      list.push(text)
    }
    composer.row(list)
  }
  for (const text of extras) composer.paragraph(text)
}

// Numbers in four bytes: an integer or the upper half of a double, perhaps times a hundred.
function packed(value: number): number {
  let result: number
  if (value & 2) result = value >> 2
  else {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32LE((value & 0xfffffffc) >>> 0, 4)
    result = bytes.readDoubleLE(0)
  }
  return value & 1 ? result / 100 : result
}
