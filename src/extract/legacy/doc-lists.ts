// The numbers that Word before 2007 sets before paragraphs: told by a paragraph's formatting, its style and the lists.

import { createNumbering, type Level, type Lists, type Schemes } from '../office/numbering.ts'

// Of one paragraph after another, by the place in the main stream of the mark that ends it. Null: it is in
// no list; '': it has a bullet.
export type Labels = (place: number) => string | null

// What a paragraph or a style says of lists; 0: in none.
type Listed = { list?: number; level?: number }
type Run = { start: number; end: number; style: number; listed: Listed }

const OF_WORD_97 = 0xc1
const HEAD_BYTES = 0x2f2 // with the places of all that is read here
const PAGE_BYTES = 512
const LEVELS = 9
const STYLES = 4_096
const STYLE_DEPTH = 12
const PATTERN_LETTERS = 60

export function readLabels(main: Buffer, table: Buffer): Labels {
  if (main.length < HEAD_BYTES || main.readUInt16LE(2) < OF_WORD_97) return () => null
  const part = (at: number) => ({ start: main.readUInt32LE(at), bytes: main.readUInt32LE(at + 4) })
  try {
    const schemes = readSchemes(table, part(0x2e2))
    const lists = readLists(table, part(0x2ea), schemes)
    const runs = readRuns(main, table, part(0x102))
    const styleOf = readStyles(table, part(0xa2))
    const numbering = createNumbering(schemes, lists)
    return (place) => {
      const run = runAt(runs, place)
      const { list, level } = { ...styleOf(run?.style ?? 0), ...run?.listed }
      return list && lists.has(`${list}`) ? numbering.label({ list: `${list}`, level: level ?? 0 }) : null
    }
  } catch (error) {
    // Places outside of the file: it is read without its numbers.
    if (error instanceof RangeError) return () => null
    throw error
  }
}

type Part = { start: number; bytes: number }

// Each scheme has its head; the levels of all follow them.
function readSchemes(table: Buffer, { start, bytes }: Part): Schemes {
  const schemes: Schemes = new Map()
  if (bytes < 2) return schemes
  const count = Math.min(table.readUInt16LE(start), Math.floor((bytes - 2) / 28))
  let at = start + 2 + count * 28
  for (let index = 0; index < count; index++) {
    const head = start + 2 + index * 28
    const isSimple = (table[head + 26]! & 1) === 1
    const levels = new Map<number, Level>()
    for (let level = 0; level < (isSimple ? 1 : LEVELS); level++) {
      const read = levelAt(table, at)
      levels.set(level, read.level)
      at = read.end
    }
    schemes.set(`${table.readInt32LE(head)}`, levels)
  }
  return schemes
}

const FORMATS: Record<number, string> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
}

function levelAt(table: Buffer, at: number): { level: Level; end: number } {
  const text = at + 28 + table[at + 24]! + table[at + 25]!
  const letters = table.readUInt16LE(text)
  const pattern = Array.from({ length: Math.min(letters, PATTERN_LETTERS) }, (_, index) => {
    const code = table.readUInt16LE(text + 2 + index * 2)
    return code < LEVELS ? `%${code + 1}` : String.fromCharCode(code)
  }).join('')
  const format = FORMATS[table[at + 4]!] ?? 'decimal'
  return { level: { start: table.readInt32LE(at), format, pattern }, end: text + 2 + letters * 2 }
}

// What each list is: a scheme, with beginnings and levels of its own.
function readLists(table: Buffer, { start, bytes }: Part, schemes: Schemes): Lists {
  const lists: Lists = new Map()
  if (bytes < 4) return lists
  const count = Math.min(table.readUInt32LE(start), Math.floor((bytes - 4) / 16))
  let at = start + 4 + count * 16
  for (let index = 0; index < count; index++) {
    const head = start + 4 + index * 16
    const scheme = `${table.readInt32LE(head)}`
    const starts = new Map<number, number>()
    const own = new Map<number, Level>()
    at += 4
    for (let change = 0; change < table[head + 12]!; change++) {
      const flags = table.readUInt32LE(at + 4)
      if (flags & 0x10) starts.set(flags & 15, table.readInt32LE(at))
      at += 8
      if (!(flags & 0x20)) continue
      const read = levelAt(table, at)
      own.set(flags & 15, read.level)
      if (flags & 0x10) starts.set(flags & 15, read.level.start)
      at = read.end
    }
    if (own.size > 0) schemes.set(`own ${index}`, new Map([...(schemes.get(scheme) ?? []), ...own]))
    lists.set(`${index + 1}`, { scheme: own.size > 0 ? `own ${index}` : scheme, starts })
  }
  return lists
}

// The formatting of paragraphs lies in pages of the main stream, each with the places it is for.
function readRuns(main: Buffer, table: Buffer, { start, bytes }: Part): Run[] {
  const runs: Run[] = []
  const pages = Math.min(Math.floor((bytes - 4) / 8), Math.ceil(main.length / PAGE_BYTES))
  for (let page = 0; page < pages; page++) {
    const from = (table.readUInt32LE(start + (pages + 1) * 4 + page * 4) & 0x3fffff) * PAGE_BYTES
    const bytes = main.subarray(from, from + PAGE_BYTES)
    const count = Math.min(bytes.readUInt8(PAGE_BYTES - 1), 29)
    for (let index = 0; index < count; index++) {
      let at = bytes[(count + 1) * 4 + index * 13]! * 2
      let length = 0
      if (at > 0) length = bytes[at]! > 0 ? bytes[at]! * 2 - 1 : bytes[++at]! * 2
      const said = bytes.subarray(at + 1, at + 1 + length)
      runs.push({
        start: bytes.readUInt32LE(index * 4),
        end: bytes.readUInt32LE(index * 4 + 4),
        style: said.length >= 2 ? said.readUInt16LE(0) : 0,
        listed: listedIn(said.subarray(2)),
      })
    }
  }
  return runs.sort((one, other) => one.start - other.start)
}

function runAt(runs: Run[], place: number): Run | undefined {
  let [low, high] = [0, runs.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (runs[middle]!.start <= place) low = middle
    else high = middle - 1
  }
  const found = runs[low]
  return found && found.start <= place && place < found.end ? found : undefined
}

// Styles say it for their paragraphs, and for the styles that are based on them.
function readStyles(table: Buffer, { start, bytes }: Part): (style: number) => Listed {
  if (bytes < 6) return () => ({})
  const styles: { base: number; listed: Listed }[] = []
  const count = Math.min(table.readUInt16LE(start + 2), STYLES)
  const headBytes = table.readUInt16LE(start + 4)
  let at = start + 2 + table.readUInt16LE(start)
  for (let index = 0; index < count && at + 2 <= start + bytes; index++) {
    const style = table.subarray(at + 2, at + 2 + table.readUInt16LE(at))
    at += 2 + style.length
    const isOfParagraphs = style.length > headBytes + 2 && (style[2]! & 15) === 1
    const name = isOfParagraphs ? 2 + (style.readUInt16LE(headBytes) + 1) * 2 : 0
    const from = headBytes + name + (name & 1)
    const said =
      isOfParagraphs && from + 4 <= style.length ? style.subarray(from + 4, from + 2 + style.readUInt16LE(from)) : null
    styles.push({ base: isOfParagraphs ? style.readUInt16LE(2) >> 4 : -1, listed: said ? listedIn(said) : {} })
  }
  const listedBy = (style: number, depth = 0): Listed => {
    const found = depth < STYLE_DEPTH ? styles[style] : undefined
    return found ? { ...listedBy(found.base, depth + 1), ...found.listed } : {}
  }
  return listedBy
}

const [LEVEL, LIST, TABLE, TABS] = [0x260a, 0x460b, 0xd608, 0xc615]
const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, -1, 3] // by the last three bits of what is said; -1: it tells its length

function listedIn(said: Buffer): Listed {
  const listed: Listed = {}
  for (let at = 0; at + 3 <= said.length; ) {
    const what = said.readUInt16LE(at)
    at += 2
    if (what === LEVEL) listed.level = Math.min(said[at]!, LEVELS - 1)
    if (what === LIST && at + 2 <= said.length) listed.list = said.readUInt16LE(at)
    const bytes = OPERAND_BYTES[what >> 13]!
    if (bytes >= 0) at += bytes
    else if (what === TABLE && at + 2 <= said.length) at += 1 + said.readUInt16LE(at)
    else if (what === TABS && said[at] === 255)
      return listed // of a length that takes counting: it comes last
    else at += 1 + said[at]!
  }
  return listed
}
