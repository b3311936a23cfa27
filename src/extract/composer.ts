// Composes a document's text block by block, so that every reader yields the same shape and the same limits hold for all.

import { AppError } from '../domain/errors.ts'
import type { Block, Extracted } from '../ports/extractor.ts'
import { limits } from './limits.ts'

export type BlockDetails = Omit<Block, 'kind' | 'start' | 'end'>
type About = Partial<Pick<Extracted, 'title' | 'author' | 'time'>> & { missing?: string | null }

export type Composer = ReturnType<typeof createComposer>

export function createComposer() {
  const parts: string[] = []
  const blocks: Block[] = []
  let length = 0
  let page: number | undefined

  function add(kind: Block['kind'], text: string, details: BlockDetails = {}): void {
    const clean = kind === 'code' ? text.trimEnd().replace(/^\s*\n/, '') : tidy(text)
    if (!clean) return
    const separator = blocks.length === 0 ? '' : belongTogether(blocks.at(-1)!, kind) ? '\n' : '\n\n'
    const start = length + separator.length
    length = start + clean.length
    if (length > limits.extractCharacters || blocks.length >= limits.extractBlocks) throw tooMuchText()
    parts.push(separator, clean)
    blocks.push({ kind, start, end: length, ...(page === undefined ? {} : { page }), ...details })
  }

  return {
    add,
    heading: (level: number, text: string) => add('heading', text.replace(/\s+/g, ' '), { level: clampLevel(level) }),
    paragraph: (text: string) => add('paragraph', text),
    item: (text: string) => add('item', text),
    // Cells are set apart by tabs; a cell's own line breaks would tear the row.
    row: (cells: string[]) => {
      const joined = cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
      if (joined.some(Boolean)) add('row', joined.join('\t').trimEnd())
    },
    // All blocks added from here on lie on this page, slide or sheet.
    startPage: (number: number | undefined) => {
      page = number
    },
    get length() {
      return length
    },
    // The text so far, from a place on: to see whether something was already said.
    textFrom: (start: number) => parts.join('').slice(start),
    finish: (kind: string, about: About = {}): Extracted => ({
      kind,
      title: shortened(about.title),
      author: shortened(about.author),
      time: about.time && !Number.isNaN(about.time.getTime()) ? about.time : null,
      text: parts.join(''),
      blocks,
      ...(about.missing && { missing: about.missing }),
    }),
  }
}

export function tooMuchText(): AppError {
  return new AppError('unreadable', `The document holds more than ${limits.extractCharacters} characters of text.`)
}

// Spaces that a person does not see are one space; line breaks stay; what cannot be shown goes.
export function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f\u200b\u2060\ufeff\u00ad]/g, '')
    .replace(/\r\n?|\u2028|\u2029|\f/g, '\n')
    .replace(/[^\S\n\t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function belongTogether(previous: Block, kind: Block['kind']): boolean {
  return previous.kind === kind && (kind === 'row' || kind === 'item' || kind === 'turn')
}

function clampLevel(level: number): number {
  return Math.min(6, Math.max(1, Math.trunc(level) || 1))
}

function shortened(text: string | null | undefined): string | null {
  return text?.replace(/\s+/g, ' ').trim().slice(0, limits.titleCharacters) || null
}
