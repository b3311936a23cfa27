// From lines to headings, paragraphs, items and rows, over all pages of a PDF at once.

import type { Composer } from '../composer.ts'
import { isContentsLine } from '../contents.ts'
import type { Line, Page } from './lines.ts'
import { createRunning } from './running.ts'

export function writePages(composer: Composer, pages: Page[]): void {
  const all = pages.flatMap((page) => page.lines)
  const look = lookOf(all)
  const hyphenated = new Set(
    all.flatMap((line) => line.text.toLowerCase().match(/(?<!\p{L})\p{L}{1,64}-\p{L}{1,64}/gu) ?? []),
  )
  const isRunning = createRunning(pages)

  for (const page of pages) {
    composer.startPage(page.number)
    let paragraph: Line[] = []
    const close = () => {
      if (paragraph.length > 0) write(composer, paragraph, look, hyphenated)
      paragraph = []
    }
    for (const line of page.lines) {
      if (isRunning(line, page)) continue
      const previous = paragraph.at(-1)
      if (previous && !goesOn(paragraph, previous, line, look)) close()
      paragraph.push(line)
    }
    close()
    for (const text of page.recognised) composer.paragraph(text)
    for (const text of page.added) composer.paragraph(text)
  }
}

function goesOn(paragraph: Line[], previous: Line, line: Line, look: Look): boolean {
  if (previous.text.includes('\t') || line.text.includes('\t')) return false
  if (isItem(line.text) || isContentsLine(line.text) || isContentsLine(previous.text)) return false
  const size = Math.max(previous.size, line.size)
  const step = previous.bottom - line.bottom
  // A step upwards is the top of the next column: the sentence may go on there.
  if (step < -size) return !/[.!?:;]["'”’)]?$/.test(previous.text) && Math.abs(previous.size - line.size) < 0.6
  if (Math.abs(previous.size - line.size) > size * 0.12 || headingLevel(previous, look) !== headingLevel(line, look))
    return false
  const usual = paragraph.length > 1 ? paragraph[0]!.bottom - paragraph[1]!.bottom : size * 1.35
  if (step > Math.max(usual * 1.25, size * 1.2) + 0.5 && step > size * 1.45) return false
  // An indented first line, or a short last line, ends a paragraph.
  const left = Math.min(...paragraph.map((other) => other.left))
  const indented = line.left > left + size * 0.8 && paragraph.length > 1 && !line.rightToLeft
  const right = Math.max(...paragraph.map((other) => other.right), line.right)
  const endedShort = previous.right < right - size * 8 && /[.!?:]["'”’)]?$/.test(previous.text) && !line.rightToLeft
  return !indented && !endedShort
}

function write(composer: Composer, lines: Line[], look: Look, hyphenated: Set<string>): void {
  const text = joinLines(lines, hyphenated)
  const first = lines[0]!
  const level = headingLevel(first, look)
  if (first.text.includes('\t')) composer.row(first.text.split('\t'))
  else if (level !== null && lines.length <= 4 && text.length <= 250 && /\p{L}/u.test(text))
    composer.heading(level, text)
  else if (isItem(text)) composer.item(text)
  else composer.paragraph(text)
}

// A word parted at the end of a line is one word again; one that is written with a hyphen elsewhere keeps it.
function joinLines(lines: Line[], hyphenated: Set<string>): string {
  const parts = [lines[0]!.text]
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue
    const before = lines[at - 1]!.text
    const parted = /(\p{L}{1,64})[-\u2010\u00ad]$/u.exec(before.slice(-65))
    const next = /^\p{Ll}+/u.exec(line.text)
    if (parted && next) {
      if (!hyphenated.has(`${parted[1]}-${next[0]}`.toLowerCase())) parts.push(parts.pop()!.slice(0, -1))
      parts.push(line.text)
    } else parts.push(unspaced.test(before.slice(-1)) && unspaced.test(line.text.slice(0, 1)) ? '' : ' ', line.text)
  }
  return parts.join('')
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

function isItem(text: string): boolean {
  return /^(?:[•●○▪■◦‣∙·–—*-]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S/.test(text)
}

// How a document is set: the size and font of its running text, and the sizes above it.
type Look = { size: number; fonts: Map<string, number>; larger: number[] }

function lookOf(lines: Line[]): Look {
  const size = most(lines, (line) => rounded(line.size))?.[0] ?? 0
  const total = lines.reduce((sum, line) => sum + line.text.length, 0)
  const fonts = new Map<string, number>()
  for (const line of lines) fonts.set(line.font, (fonts.get(line.font) ?? 0) + line.text.length / total)
  return { size, fonts, larger: headingSizes(lines, size) }
}

// Larger letters make a heading; so does a short line of its own in a font that is used little.
function headingLevel(line: Line, look: Look): number | null {
  const at = look.larger.indexOf(rounded(line.size))
  if (at >= 0) return at + 1
  const rare = (look.fonts.get(line.font) ?? 0) < 0.15 && line.size > look.size * 0.95
  const short = line.text.length <= 90 && !/[.,;:]$/.test(line.text) && /^[\p{Lu}\p{N}]/u.test(line.text)
  return rare && !line.mixed && short && /\p{L}{2}/u.test(line.text) ? Math.min(6, look.larger.length + 1) : null
}

function most<Key>(lines: Line[], keyOf: (line: Line) => Key): [Key, number] | undefined {
  const letters = new Map<Key, number>()
  for (const line of lines) letters.set(keyOf(line), (letters.get(keyOf(line)) ?? 0) + line.text.length)
  return [...letters].sort((one, two) => two[1] - one[1])[0]
}

// Sizes clearly above the body's, the largest first: a document has few of them, and little is set in them.
function headingSizes(lines: Line[], body: number): number[] {
  const larger = new Map<number, number>()
  for (const line of lines) {
    const size = rounded(line.size)
    if (size > body * 1.12) larger.set(size, (larger.get(size) ?? 0) + line.text.length)
  }
  const total = lines.reduce((sum, line) => sum + line.text.length, 0)
  return [...larger]
    .filter(([, letters]) => letters < total * 0.25)
    .map(([size]) => size)
    .sort((one, two) => two - one)
    .slice(0, 6)
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2
}
