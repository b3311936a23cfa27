// OpenDocument texts, sheets and slides: one format, told apart by what their body holds.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { pageBadge } from '../page-badge.ts'
import { type Work, writeBlock, writeBlocks } from './odf-blocks.ts'
import { all, child, childrenOf, type Element, readXml, textIn } from './xml.ts'
import { missingFrom, openZip } from './zip.ts'

export function readOdf({ bytes }: Content): Extracted {
  const archive = openZip(bytes)
  const part = (name: string) => readXml(archive.read(name))
  // Charts and other objects are documents in folders of the same archive.
  const objectAt = (link: string) => part(`${link.replace(/^\.\//, '').replace(/\/$/, '')}/content.xml`)
  const read = fromOdf({ content: part('content.xml'), styles: part('styles.xml'), meta: part('meta.xml') }, objectAt)
  const missing = missingFrom(archive)
  return missing ? { ...read, missing } : read
}

// A flat file holds all three parts in one.
export function readFlatOdf({ bytes }: Content): Extracted {
  const whole = readXml(bytes)
  return fromOdf({ content: whole, styles: whole, meta: whole }, () => readXml(null))
}

type Parts = { content: Element; styles: Element; meta: Element }

function fromOdf({ content, styles, meta }: Parts, objectAt: Work['objectAt']): Extracted {
  const composer = createComposer()
  const hidden = new Set([...hiddenStyles(content), ...hiddenStyles(styles)])
  const work: Work = { composer, hidden, objectAt, isObject: false }
  const body = childrenOf(all(content, 'body')[0])[0]
  writeRepeated(work, styles, ['header', 'header-first', 'header-left'])
  let page = 0
  for (const part of childrenOf(body)) {
    const isSheet = part.name === 'table' && body!.name === 'spreadsheet'
    if (part.name === 'page' || isSheet) composer.startPage(++page)
    if (isSheet) composer.heading(1, part.attributes.name ?? '')
    writeBlock(work, part)
  }
  composer.startPage(undefined)
  // Pages that are empty show what their master page has.
  if (composer.length === 0) for (const style of all(styles, 'master-page')) writeBlocks(work, style)
  // What is said at the head and foot of slides is declared once, and each slide points to it.
  for (const part of childrenOf(body)) if (/^(?:header|footer)-decl$/.test(part.name)) composer.paragraph(textIn(part))
  writeRepeated(work, styles, ['footer', 'footer-first', 'footer-left'])
  const facts = all(meta, 'meta')[0]
  const kind = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' }[body?.name ?? ''] ?? 'odf'
  return composer.finish(kind, {
    title: textIn(child(facts, 'title')),
    author: textIn(child(facts, 'initial-creator')) || textIn(child(facts, 'creator')),
    time: new Date(textIn(child(facts, 'creation-date')) || textIn(child(facts, 'date')) || Number.NaN),
  })
}

function* hiddenStyles(root: Element): Iterable<string> {
  for (const style of all(root, 'style'))
    if (child(style, 'text-properties')?.attributes.display === 'none') yield style.attributes.name ?? ''
}

// Heads and feet differ little between pages: each text is written once, and the number of a page never.
function writeRepeated(work: Work, styles: Element, names: string[]): void {
  const inner = createComposer()
  const master = all(styles, 'master-styles')[0]
  for (const style of names.flatMap((name) => all(master, name))) writeBlocks({ ...work, composer: inner }, style)
  const { text, blocks } = inner.finish('')
  const lines = blocks.map(({ kind, start, end }) => ({ kind, words: text.slice(start, end) }))
  for (const { kind, words } of new Map(lines.map((line) => [line.words, line])).values())
    if (!pageBadge(words)) work.composer.add(kind === 'heading' ? 'paragraph' : kind, words)
}
