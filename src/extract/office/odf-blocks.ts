// Writes the blocks of an OpenDocument: paragraphs with what is anchored in them, lists, tables, frames and shapes.

import type { Composer } from '../composer.ts'
import { pageBadge } from '../page-badge.ts'
import { all, childrenOf, type Element, textIn } from './xml.ts'

export type Work = {
  composer: Composer
  hidden: Set<string> // styles whose text is not shown
  objectAt(link: string): Element
  isObject: boolean // an object's own objects are not followed
}

const repeatedAtMost = 64

const unread = new Set([
  'tracked-changes', // holds what was deleted
  'forms',
  'binary-data',
  'script',
  'sequence-decls',
  'settings',
  'variable-decls',
])

// Entries that point to pages, made by a program from the headings and captions of the text.
const contents = /^(?:table-of-content|illustration-index|table-index|object-index|user-index|alphabetical-index)$/

// What stands in a paragraph but is not part of its text: it follows as blocks of its own.
const shapes = 'g|custom-shape|rect|ellipse|circle|line|polyline|polygon|regular-polygon|path|connector|measure'
const anchored = new RegExp(`^(?:note|annotation|text-box|object|table|caption|${shapes})$`)

export function writeBlocks(work: Work, element: Element): void {
  for (const inner of childrenOf(element)) writeBlock(work, inner)
}

export function writeBlock(work: Work, element: Element): void {
  const { name, attributes } = element
  if (unread.has(name) || isFurniture(element) || isHidden(work, element)) return
  if (name === 'h' || name === 'p') writeParagraph(work, element)
  else if (name === 'list-item' || name === 'list-header') {
    for (const inner of childrenOf(element))
      inner.name === 'p' || inner.name === 'h' ? writeParagraph(work, inner, 'item') : writeBlock(work, inner)
  } else if (name === 'table-row') writeRow(work, element)
  else if (contents.test(name)) writeContents(work, element)
  else if (name === 'object') writeObject(work, element)
  else if (name === 'note') for (const body of childrenOf(element, 'note-body')) writeBlocks(work, body)
  else if (name === 'frame' && attributes.class === 'title') work.composer.heading(1, linesIn(work, element).join(' '))
  else if (name === 'desc') work.composer.paragraph(textIn(element))
  else writeBlocks(work, element)
}

// Numbers and dates of slides, and the small picture of one beside its notes.
const isFurniture = ({ name, attributes }: Element): boolean =>
  name === 'page-thumbnail' || /^(?:page-number|date-time|page)$/.test(attributes.class ?? '')

function isHidden({ hidden }: Work, element: Element): boolean {
  const { name, attributes } = element
  if (name === 'section') return attributes.display === 'none' || attributes['is-hidden'] === 'true'
  if (name === 'hidden-text') return attributes['is-hidden'] === 'true'
  if (name !== 'p' && name !== 'h' && name !== 'span') return false
  if (childrenOf(element, 'hidden-paragraph').some((mark) => mark.attributes['is-hidden'] === 'true')) return true
  return hidden.has(attributes['style-name'] ?? '')
}

function writeParagraph(work: Work, paragraph: Element, kind: 'item' | null = null): void {
  const { composer } = work
  if (isHidden(work, paragraph)) return
  const text = inlineText(work, paragraph)
  const isNumber = all(paragraph, 'page-number').length > 0 && (pageBadge(text) || /^<\p{L}+>$/u.test(text.trim()))
  if (!isNumber) {
    if (kind === 'item') composer.item(text)
    else if (paragraph.name === 'h') composer.heading(Number(paragraph.attributes['outline-level'] ?? 1), text)
    else composer.paragraph(text)
  }
  for (const element of anchoredIn(work, paragraph)) writeBlock(work, element)
}

function anchoredIn(work: Work, element: Element): Element[] {
  return childrenOf(element).flatMap((inner) => {
    if (isHidden(work, inner)) return []
    return anchored.test(inner.name) ? [inner] : anchoredIn(work, inner)
  })
}

function inlineText(work: Work, element: Element): string {
  let text = ''
  for (const inner of element.children) {
    if (typeof inner === 'string') text += inner.replace(/\s+/g, ' ')
    else if (inner.name === 's') text += ' '.repeat(Math.min(100, Number(inner.attributes.c ?? 1) || 1))
    else if (inner.name === 'tab') text += '\t'
    else if (inner.name === 'line-break') text += '\n'
    else if (
      !anchored.test(inner.name) &&
      !/^(?:annotation-end|ruby-text|tracked-changes)$/.test(inner.name) &&
      !isHidden(work, inner)
    )
      text += inlineText(work, inner)
  }
  return text
}

// The templates of its entries are no text.
function writeContents(work: Work, index: Element): void {
  for (const body of childrenOf(index, 'index-body'))
    for (const line of linesIn(work, body)) work.composer.add('paragraph', line, { isContents: true })
}

// A chart's titles, and its table; a sheet or a formula.
function writeObject(work: Work, object: Element): void {
  const { href } = object.attributes
  if (work.isObject) return
  const inner = href ? work.objectAt(href) : object
  for (const body of all(inner, 'body')) writeBlocks({ ...work, isObject: true }, body)
}

function writeRow(work: Work, row: Element): void {
  const cells: string[] = []
  const later: Element[] = []
  for (const cell of childrenOf(row)) {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue
    const text = linesIn(work, cell, later).join(' ') || (cell.attributes.value ?? '')
    const repeated = Math.min(repeatedAtMost, Number(cell.attributes['number-columns-repeated'] ?? 1) || 1)
    for (let count = 0; count < (text ? repeated : Math.min(1, repeated)); count++) cells.push(text)
  }
  work.composer.row(cells)
  for (const element of later) writeBlock(work, element)
}

// The paragraphs below an element, without what is anchored there, which `later` collects.
function linesIn(work: Work, element: Element, later: Element[] = []): string[] {
  return childrenOf(element).flatMap((inner) => {
    if (unread.has(inner.name) || isHidden(work, inner)) return []
    if (inner.name !== 'p' && inner.name !== 'h') {
      const isBox = inner.name === 'text-box' && element.name === 'frame'
      if (!anchored.test(inner.name) || isBox) return linesIn(work, inner, later)
      later.push(inner)
      return []
    }
    later.push(...anchoredIn(work, inner))
    return [inlineText(work, inner)]
  })
}
