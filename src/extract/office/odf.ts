// OpenDocument texts, sheets and slides: one format, told apart by what their body holds.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { all, child, childrenOf, type Element, readXml, textIn } from './xml.ts'
import { openZip } from './zip.ts'

const repeatedAtMost = 64

export function readOdf({ bytes }: Content): Extracted {
  const archive = openZip(bytes)
  return fromOdf(
    readXml(archive.read('content.xml')),
    readXml(archive.read('styles.xml')),
    readXml(archive.read('meta.xml')),
  )
}

// A flat file holds all three parts in one.
export function readFlatOdf({ bytes }: Content): Extracted {
  const whole = readXml(bytes)
  return fromOdf(whole, whole, whole)
}

function fromOdf(content: Element, styles: Element, meta: Element): Extracted {
  const composer = createComposer()
  const body = all(content, 'body')[0]
  for (const style of all(all(styles, 'master-styles')[0], 'header')) writeBlocks(composer, style)
  let page = 0
  for (const part of childrenOf(childrenOf(body)[0])) {
    if (part.name === 'page' || part.name === 'table') {
      const isSheet = part.name === 'table' && childrenOf(body)[0]!.name === 'spreadsheet'
      if (part.name === 'page' || isSheet) composer.startPage(++page)
      if (isSheet) composer.heading(1, part.attributes.name ?? '')
    }
    writeBlock(composer, part)
  }
  composer.startPage(undefined)
  // Pages that are empty show what their master page has.
  if (composer.length === 0) for (const style of all(styles, 'master-page')) writeBlocks(composer, style)
  for (const style of all(all(styles, 'master-styles')[0], 'footer')) writeBlocks(composer, style)
  const facts = all(meta, 'meta')[0]
  const kind = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' }[childrenOf(body)[0]?.name ?? ''] ?? 'odf'
  return composer.finish(kind, {
    title: textIn(child(facts, 'title')),
    author: textIn(child(facts, 'initial-creator')) || textIn(child(facts, 'creator')),
    time: new Date(textIn(child(facts, 'creation-date')) || textIn(child(facts, 'date')) || Number.NaN),
  })
}

function writeBlocks(composer: Composer, element: Element): void {
  for (const inner of childrenOf(element)) writeBlock(composer, inner)
}

function writeBlock(composer: Composer, element: Element): void {
  const { name, attributes } = element
  if (name === 'h') composer.heading(Number(attributes['outline-level'] ?? 1), write(composer, element))
  else if (name === 'p') composer.paragraph(write(composer, element))
  else if (name === 'list-item' || name === 'list-header') {
    for (const inner of childrenOf(element))
      inner.name === 'p' || inner.name === 'h' ? composer.item(write(composer, inner)) : writeBlock(composer, inner)
  } else if (name === 'table-row') writeRow(composer, element)
  else if (name === 'frame' && attributes.class === 'title')
    composer.heading(
      1,
      all(element, 'p')
        .map((line) => inlineText(line))
        .join(' '),
    )
  else if (
    name !== 'tracked-changes' &&
    name !== 'forms' &&
    name !== 'binary-data' &&
    name !== 'script' &&
    !/^(sequence-decls|settings|variable-decls)$/.test(name)
  )
    writeBlocks(composer, element)
}

// A paragraph's text; notes, comments and boxes inside it follow as paragraphs of their own.
function write(composer: Composer, paragraph: Element): string {
  const text = inlineText(paragraph)
  const inside = ['note-body', 'annotation', 'text-box'].flatMap((name) => all(paragraph, name))
  if (inside.length === 0) return text
  composer.paragraph(text)
  for (const element of inside) for (const line of childrenOf(element)) writeBlock(composer, line)
  return ''
}

function inlineText(element: Element): string {
  let text = ''
  for (const inner of element.children) {
    if (typeof inner === 'string') text += inner.replace(/\s+/g, ' ')
    else if (inner.name === 's') text += ' '.repeat(Math.min(100, Number(inner.attributes.c ?? 1) || 1))
    else if (inner.name === 'tab') text += '\t'
    else if (inner.name === 'line-break') text += '\n'
    else if (!/^(note|annotation|annotation-end|text-box|ruby-text|object|tracked-changes)$/.test(inner.name))
      text += inlineText(inner)
  }
  return text
}

function writeRow(composer: Composer, row: Element): void {
  const cells: string[] = []
  for (const cell of childrenOf(row)) {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue
    const text =
      all(cell, 'p')
        .map((line) => inlineText(line))
        .join(' ') ||
      (cell.attributes.value ?? '')
    const repeated = Math.min(repeatedAtMost, Number(cell.attributes['number-columns-repeated'] ?? 1) || 1)
    for (let count = 0; count < (text ? repeated : Math.min(1, repeated)); count++) cells.push(text)
  }
  composer.row(cells)
  for (const note of all(row, 'annotation'))
    composer.paragraph(
      all(note, 'p')
        .map((line) => inlineText(line))
        .join('\n'),
    )
}
