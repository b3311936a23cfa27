// Cuts a document into pieces of 200–400 tokens along its own structure, each knowing its place.

import { AppError } from '../domain/errors.ts'
import type { PageStart } from '../domain/memory.ts'
import type { Block, Extracted, Piece, Split } from '../ports/extractor.ts'
import { contentsIn } from './contents.ts'
import { limits } from './limits.ts'
import { cutLong, isLongBlank } from './measure.ts'
import { headingWords } from './plain/heading.ts'
import { questionsIn } from './questions.ts'

// A part is what is never cut again: a block, or a stretch of one that was too long.
type Part = {
  block: Block
  start: number
  end: number
  tokens: number
  path: string[]
  columns: string | null
  asks: boolean // a question of an FAQ, which begins a piece: what is asked and its answer, with nothing else
  stretch: number // counts what was left out before it: a piece lies within one stretch
}

export const splitOf = (extracted: Extracted): Split => ({
  title: extracted.title,
  time: extracted.time,
  text: extracted.text,
  pieces: split(extracted),
  ...(extracted.missing && { missing: extracted.missing }),
})

export function split(extracted: Pick<Extracted, 'text' | 'blocks'>): Piece[] {
  const parts = partsOf(extracted)
  const groups = balanceTails(joinSmall(group(parts)))
  if (groups.length > limits.documentMemories) {
    throw new AppError(
      'unreadable',
      `The document is too long: it would become ${groups.length} memories, and ${limits.documentMemories} is the most.`,
    )
  }
  return groups.map((members) => toPiece(extracted.text, members))
}

function partsOf({ text, blocks }: Pick<Extracted, 'text' | 'blocks'>): Part[] {
  const contents = contentsIn({ text, blocks })
  const isLeftOut = (block: Block) => contents.has(block) && contents.size < blocks.length
  const questions = questionsIn({ text, blocks })
  const parts: Part[] = []
  let stretch = 0
  let path: { level: number; title: string }[] = []
  let columns: string | null = null
  let previous: Block | null = null
  for (const block of blocks) {
    if (isLeftOut(block)) {
      stretch++
      continue
    }
    if (block.kind === 'heading') {
      const level = block.level ?? 1
      path = [...path.filter((heading) => heading.level < level), { level, title: titleOf(text, block) }]
    }
    // The first row of a table names its columns for the rows that land in another piece.
    if (block.kind !== 'row') columns = null
    else if (previous?.kind !== 'row' || previous.page !== block.page) columns = columnsOf(text, block)
    const common = { block, path: path.map((heading) => heading.title), columns, stretch }
    for (const [at, range] of cutLong(text, block.start, block.end).entries())
      parts.push({ ...range, ...common, asks: at === 0 && questions.has(block) })
    previous = block
  }
  return parts
}

// Fills a piece up to its size; a heading or an FAQ's question begins a new one, unless only headings came before it.
function group(parts: Part[]): Part[][] {
  const groups: Part[][] = []
  let current: Part[] = []
  let tokens = 0
  let onlyHeadings = true
  for (const [index, part] of parts.entries()) {
    const opensSection = (part.block.kind === 'heading' || part.asks) && !onlyHeadings
    const rest = opensSection ? 0 : restOfSection(parts, index)
    // A section that fits whole stays whole; otherwise the piece ends near its aim.
    const isOver =
      tokens + part.tokens > limits.memoryTokensMax ||
      (tokens + part.tokens > limits.memoryTokens &&
        tokens >= limits.memoryTokensMin &&
        tokens + rest > limits.memoryTokensMax)
    const isFull = isOver && (!onlyHeadings || tokens > limits.memoryTokensMax)
    if (current.length > 0 && (opensSection || isFull || !fitsBehind(current, part))) {
      groups.push(current)
      current = []
      tokens = 0
      onlyHeadings = true
    }
    current.push(part)
    tokens += part.tokens
    onlyHeadings &&= part.block.kind === 'heading'
  }
  if (current.length > 0) groups.push(current)
  return groups
}

// One piece is one stretch of text, of a length that is bounded whatever stands between its parts.
const fitsBehind = (members: Part[], next: Part): boolean =>
  !standApart(members.at(-1)!, next) &&
  next.end - members[0]!.start <= limits.memoryCharacters &&
  !isLongBlank(members.at(-1)!.end, next.start)

// What is remembered for itself is joined to nothing but the rest of itself.
const standApart = (one: Part, two: Part): boolean =>
  one.stretch !== two.stretch ||
  (one.block !== two.block && (one.block.isMemory === true || two.block.isMemory === true))

function restOfSection(parts: Part[], from: number): number {
  let tokens = 0
  for (let at = from; at < parts.length && tokens <= limits.memoryTokensMax; at++) {
    if (at > from && (parts[at]!.block.kind === 'heading' || parts[at]!.asks)) break
    tokens += parts[at]!.tokens
  }
  return tokens
}

// Neighbours too small to stand alone are joined where one section holds both.
function joinSmall(groups: Part[][]): Part[][] {
  const joined: Part[][] = []
  for (const members of groups) {
    const last = joined.at(-1)
    const small =
      last !== undefined && (sizeOf(last) < limits.memoryTokensMin || sizeOf(members) < limits.memoryTokensMin / 4)
    const stands = last?.some(({ asks }) => asks) || members.some(({ asks }) => asks)
    if (small && !stands && sizeOf(last) + sizeOf(members) <= limits.memoryTokens && areNear(last, members))
      last.push(...members)
    else joined.push([...members])
  }
  return joined
}

// What is left over at the end of a section takes its share from the piece before it.
function balanceTails(groups: Part[][]): Part[][] {
  const balanced: Part[][] = []
  for (const members of groups) {
    const last = balanced.at(-1)
    const opens = members[0]!.block.kind === 'heading' || members[0]!.asks
    const isTail = last && !opens && sizeOf(members) < limits.memoryTokensMin / 2
    const isSame = isTail && members[0]!.path.join('\n') === last.at(-1)!.path.join('\n')
    const cut = isSame && areNear(last, members) ? middleOf([...last, ...members]) : 0
    if (!last || cut === 0 || cut >= last.length) balanced.push(members)
    else balanced.push([...last.splice(cut), ...members])
  }
  return balanced
}

function middleOf(members: Part[]): number {
  const whole = sizeOf(members)
  let before = 0
  for (const [at, member] of members.entries()) {
    if (before + member.tokens / 2 >= whole / 2) return at
    before += member.tokens
  }
  return 0
}

function areNear(first: Part[], second: Part[]): boolean {
  const [one, two] = [first.at(-1)!, second[0]!]
  if (
    standApart(one, two) ||
    isLongBlank(one.end, two.start) ||
    second.at(-1)!.end - first[0]!.start > limits.memoryCharacters
  )
    return false
  if (one.block.page !== two.block.page && one.block.kind === 'row') return false
  const shared = commonPath([first[0]!, two]).length
  // Two chapters at the top have nothing in common but the book.
  return shared > 0 || one.path.length === 0 || Math.max(one.path.length, two.path.length) <= 1
}

function toPiece(text: string, members: Part[]): Piece {
  const [first, last] = [members[0]!, members.at(-1)!]
  const body = members.filter((member) => member.block.kind !== 'heading')
  const opening = body[0] ?? first
  const speakers = new Set(body.map((member) => member.block.speaker))
  const path = body.length > 0 ? commonPath(body) : commonPath(members)
  const beginsTable =
    first.block.kind !== 'row' || first.columns === null || text.slice(first.start, first.end) === first.columns
  return {
    text: text.slice(first.start, last.end),
    headings: beginsTable ? path : [...path, first.columns!],
    page: pageOf(opening),
    pageStarts: pageStartsIn(members, opening),
    start: first.start,
    end: last.end,
    speaker: speakers.size === 1 ? ([...speakers][0] ?? null) : null,
    time: members.find((member) => member.block.time)?.block.time ?? null,
    offsetMs: members.find((member) => member.block.offsetMs !== undefined)?.block.offsetMs ?? null,
  }
}

const pageOf = ({ block }: Part): number | null => block.page ?? null

// Where a page begins that the part before is not on. What heads the part that gives the first page counts as on it.
function pageStartsIn(members: Part[], opening: Part): PageStart[] {
  const from = members[0]!.start
  const parts = members.slice(members.indexOf(opening))
  return parts.flatMap((part, at) =>
    at > 0 && pageOf(part) !== pageOf(parts[at - 1]!) ? [{ start: part.start - from, page: pageOf(part) }] : [],
  )
}

function sizeOf(members: Part[]): number {
  return members.reduce((sum, member) => sum + member.tokens, 0)
}

function commonPath(members: Part[]): string[] {
  const [first, ...others] = members
  let length = first?.path.length ?? 0
  for (const other of others) {
    let same = 0
    while (same < length && other.path[same] === first!.path[same]) same++
    length = same
  }
  return first?.path.slice(0, length) ?? []
}

function titleOf(text: string, block: Block): string {
  return headingWords(text.slice(block.start, block.end)).replace(/\s+/g, ' ').slice(0, 200)
}

function columnsOf(text: string, block: Block): string | null {
  if (block.end - block.start > 300) return null
  const row = text.slice(block.start, block.end)
  // Names of columns are short, and no numbers.
  const cells = row.split(/\t|\|/).filter((cell) => cell.trim())
  return cells.length > 1 && cells.every((cell) => !/^[\s\d.,:%$€-]+$/.test(cell)) ? row : null
}
