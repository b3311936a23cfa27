// From the strokes of text on a PDF page to its lines: what stands beside each other on one baseline.

import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

export type Glyphs = TextItem & { vertical: boolean }

export type Line = {
  text: string // tabs where the gap is as wide as between columns of a table
  left: number
  right: number
  bottom: number // baseline
  size: number
  font: string
  mixed: boolean // set in more than one font
  rightToLeft: boolean
}

export type Page = {
  number: number
  lines: Line[]
  added: string[] // what annotations and form fields say
  recognised: string[] // paragraphs read from its picture
  broken: boolean
}

type Box = {
  text: string
  left: number
  right: number
  base: number
  size: number
  font: string
  rightToLeft: boolean
  turn: number // quarters
}

export function linesOf(items: Glyphs[]): Line[] {
  const lines: Box[][] = []
  let space = false
  for (const item of items) {
    if (!item.str.trim()) {
      space ||= isSpace(item)
      continue
    }
    const box = place(item)
    const last = lines.at(-1)
    if (last && isShadow(last.at(-1)!, box)) continue
    if (last && continues(last.at(-1)!, box)) {
      if (space && !/^\s/.test(box.text)) box.text = ` ${box.text}`
      last.push(box)
    } else lines.push([box])
    space = false
  }
  return joinBeside(lines).map(toLine)
}

// Narrow ones were written as spaces. Only where a font's unit is far from the size of its letters did the library take
// kerning for a space.
function isSpace({ str, width, transform: [a, b, c, d] }: Glyphs): boolean {
  if (!str) return false
  const size = Math.hypot(c, d)
  return width === 0 || Math.hypot(a, b) > size * 0.2 || width > size * 0.1
}

// Text drawn twice, a hair apart, for boldness or a shadow.
function isShadow(previous: Box, box: Box): boolean {
  const near = box.size * 0.2
  return (
    previous.text === box.text && Math.abs(previous.left - box.left) < near && Math.abs(previous.base - box.base) < near
  )
}

// Text set at a right angle is turned back, so that one rule serves all.
function place(item: Glyphs): Box {
  const [a, b, c, d, e, f] = item.transform as [number, number, number, number, number, number]
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1
  const turn = Math.round(Math.atan2(b, a) / (Math.PI / 2)) & 3
  const [along, base] = turn === 0 ? [e, f] : turn === 1 ? [f, -e] : turn === 2 ? [-e, -f] : [-f, e]
  const width = Math.abs(item.vertical ? item.height : item.width)
  return {
    text: shown(item.str),
    left: along,
    right: along + width,
    base,
    size,
    font: item.fontName,
    rightToLeft: item.dir === 'rtl',
    turn,
  }
}

// Fonts without a table of their characters leave control characters where their spaces are, and zeros beside every letter
// where letters have two bytes; a soft hyphen that is drawn is a hyphen, unless a program left it inside a word.
function shown(text: string): string {
  const zeros = text.split('\0').length - 1
  return text
    .replace(/\0/g, zeros * 3 > text.length ? '' : ' ')
    .replace(/[\x01-\x1f]/g, ' ')
    .replace(/(?<=\p{Ll})\u00ad(?=\p{Ll})/gu, '')
    .replace(/\u00ad/g, '-')
}

function onOneBase(one: Box, two: Box): boolean {
  const size = Math.max(one.size, two.size)
  return one.turn === two.turn && Math.abs(one.base - two.base) < size * 0.4
}

function continues(previous: Box, box: Box): boolean {
  if (!onOneBase(previous, box)) return false
  const gap = Math.max(box.left - previous.right, previous.left - box.right)
  return gap < Math.max(previous.size, box.size)
}

// Pieces written at different times may still stand on one line: a table's cells, a right-to-left line's words.
function joinBeside(runs: Box[][]): Box[][] {
  const lines: Box[][] = []
  const byBase = new Map<string, Box[][]>()
  for (const run of runs) {
    const first = run[0]!
    const slot = Math.round(first.base / 4)
    const near = [slot - 1, slot, slot + 1].flatMap((at) => byBase.get(`${first.turn}:${at}`) ?? [])
    const left = Math.min(...run.map((box) => box.left))
    const right = Math.max(...run.map((box) => box.right))
    const found = near.find(
      (line) => line.some((box) => onOneBase(box, first)) && isBeside(line, left, right, first.size),
    )
    if (found) found.push(...run)
    else {
      const line = [...run]
      lines.push(line)
      const key = `${first.turn}:${slot}`
      byBase.set(key, [...(byBase.get(key) ?? []), line])
    }
  }
  return lines
}

function isBeside(line: Box[], left: number, right: number, size: number): boolean {
  return line.some((box) => {
    const gap = Math.max(left - box.right, box.left - right)
    return gap > -size && gap < size * 0.5
  })
}

function toLine(boxes: Box[]): Line {
  const ordered = boxes
    .map((box, index) => ({ box, index }))
    .sort((one, two) => one.box.left - two.box.left || one.index - two.index)
  const visual = ordered.map(({ box }) => box)
  const letters = visual.reduce((sum, box) => sum + box.text.length, 0)
  const rightToLeft = visual.reduce((sum, box) => sum + (box.rightToLeft ? box.text.length : 0), 0) > letters / 2
  const reading = rightToLeft ? fromTheRight(visual) : visual
  let text = ''
  for (const [index, box] of reading.entries()) {
    const previous = reading[index - 1]
    if (previous) text += gapBetween(previous, box, text)
    text += box.text
  }
  const main = visual.reduce((best, box) => (box.text.length > best.text.length ? box : best))
  return {
    text: text.replace(/ {2,}/g, ' ').trim(),
    left: Math.min(...visual.map((box) => box.left)),
    right: Math.max(...visual.map((box) => box.right)),
    bottom: main.base,
    size: main.size,
    font: main.font,
    mixed: visual.some((box) => box.font !== main.font),
    rightToLeft,
  }
}

// A right-to-left line is read from its right end, but numbers and Latin words in it from their left.
function fromTheRight(visual: Box[]): Box[] {
  const reading: Box[] = []
  let foreign: Box[] = []
  for (const box of visual.toReversed()) {
    if (!box.rightToLeft && /[\p{L}\p{N}]/u.test(box.text)) foreign.unshift(box)
    else {
      reading.push(...foreign, box)
      foreign = []
    }
  }
  return [...reading, ...foreign]
}

function gapBetween(previous: Box, box: Box, text: string): string {
  if (/\s$/.test(text) || /^\s/.test(box.text)) return ''
  const gap = Math.max(box.left - previous.right, previous.left - box.right)
  const size = Math.max(previous.size, box.size)
  return gap > size * 0.17 ? ' ' : ''
}
