// Finds the entries of tables of contents: they repeat headings with numbers of pages, and nobody asks for them.

import type { Block, Extracted } from '../ports/extractor.ts'

const LEADERS = 4 // dots in a row that lead the eye to a number
const RECURRING = 20 // entries of one table that are looked for in the text
const HEADING_CHARACTERS = 40

// Found by a style, or by their look; a list of prices looks the same, so their words must be headings elsewhere, or a
// heading must say what they are.
export function contentsIn(extracted: Pick<Extracted, 'text' | 'blocks'>): Set<Block> {
  const { text, blocks } = extracted
  const left = new Set(blocks.filter((block) => block.isContents))
  const recurs = searchIn(text)
  for (let at = 0; at < blocks.length; at++) {
    const run: Block[] = []
    while (at < blocks.length && looksLikeContents(text, blocks[at]!)) run.push(blocks[at++]!)
    if (run.length === 0) continue
    const before = blocks[at - run.length - 1]
    const isSaid = before && saysContents(text, before)
    const entries = run.flatMap((block) => text.slice(block.start, block.end).split('\n')).filter(isContentsLine)
    const titles = entries.slice(0, RECURRING).map(titleOf)
    if (!isSaid && titles.filter(recurs).length * 2 <= titles.length) continue
    for (const block of run) left.add(block)
    if (isSaid) left.add(before)
  }
  return left
}

// "Chapter 1 ........ 5": read from its end, because dots may be anywhere.
export const isContentsLine = (line: string): boolean => titleEnd(line) > 0

// Where the words of an entry end; 0 where it is none.
function titleEnd(line: string): number {
  const text = line.trimEnd()
  const number = /(?:\d{1,4}|[ivxlc]{1,7})$/i.exec(text.slice(-8))
  let at = text.length - (number?.[0].length ?? 0)
  let dots = 0
  for (; at > 0; at--) {
    const character = text[at - 1]!
    if (character === '.' || character === '·' || character === '_') dots++
    else if (character === '…') dots += 3
    else if (!/\s/.test(character)) break
  }
  return number !== null && dots >= LEADERS ? at : 0
}

const titleOf = (line: string): string => squeeze(line.slice(0, titleEnd(line)).replace(/^\s*[\d.]{1,12}\s/, ''))

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

function looksLikeContents(text: string, { kind, isMemory, start, end }: Block): boolean {
  if (isMemory || kind === 'turn' || kind === 'code') return false
  const lines = text.slice(start, end).split('\n')
  // A long title goes over two lines.
  return isContentsLine(lines.at(-1)!) && lines.filter(isContentsLine).length * 2 > lines.length
}

const names = [
  '(?:table of )?contents',
  'inhalt(?:sverzeichnis)?',
  'table des matières|sommaire',
  'índice|indice|inhoud(?:sopgave)?|innehåll|spis treści',
  'содержание|目次|目录',
]
const heading = new RegExp(`^[#* ]*(?:${names.join('|')})[:* ]*$`)

const saysContents = (text: string, { start, end }: Block): boolean =>
  end - start <= HEADING_CHARACTERS && heading.test(squeeze(text.slice(start, end)))

// Whether words stand in the text more than once. It is made ready when it is first needed.
function searchIn(text: string): (words: string) => boolean {
  let squeezed: string | undefined
  return (words) => {
    squeezed ??= squeeze(text)
    const first = squeezed.indexOf(words)
    return words.length > 2 && first >= 0 && squeezed.indexOf(words, first + words.length) >= 0
  }
}
