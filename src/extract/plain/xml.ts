// XML of any kind: books, the one-file formats of Office 2003, captions, and whatever else, by its text.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { fromWordml } from '../office/wordml.ts'
import { all, child, childrenOf, type Element, readXml, textIn } from '../office/xml.ts'
import { type Cue, fromCues, speakerOf } from './subtitles.ts'

export function readAnyXml({ bytes }: Content): Extracted {
  const whole = readXml(bytes)
  const root = childrenOf(whole)[0]
  if (root?.name === 'FictionBook') return readBook(root)
  if (root?.name === 'tt' || root?.name === 'transcript' || root?.name === 'timedtext') return fromCues(cuesIn(root))
  if (root?.name === 'wordDocument') return fromWordml(root)
  const composer = createComposer()
  if (root?.name === 'Workbook') writeSheets(composer, root)
  else writeAny(composer, whole)
  return composer.finish('xml')
}

function readBook(root: Element): Extracted {
  const composer = createComposer()
  const write = (element: Element, depth: number): void => {
    for (const inner of childrenOf(element)) {
      if (inner.name === 'title' || inner.name === 'subtitle') composer.heading(depth, childText(inner))
      else if (inner.name === 'p' || inner.name === 'v' || inner.name === 'text-author')
        composer.paragraph(textIn(inner))
      else if (inner.name !== 'binary') write(inner, inner.name === 'section' ? depth + 1 : depth)
    }
  }
  for (const about of all(root, 'annotation').slice(0, 1)) write(about, 1)
  for (const body of childrenOf(root, 'body')) write(body, 1)
  const facts = all(root, 'title-info')[0]
  const author = child(facts, 'author')
  const date = child(facts, 'date')
  return composer.finish('fb2', {
    title: textIn(child(facts, 'book-title')),
    author: ['first-name', 'middle-name', 'last-name']
      .map((name) => textIn(child(author, name)).trim())
      .filter(Boolean)
      .join(' '),
    time: new Date(date?.attributes.value || Number.NaN),
  })
}

function childText(element: Element): string {
  const parts = childrenOf(element).map(textIn)
  return parts.length > 0 ? parts.join(' ') : textIn(element)
}

function writeSheets(composer: Composer, root: Element): void {
  for (const [index, sheet] of childrenOf(root, 'Worksheet').entries()) {
    composer.startPage(index + 1)
    composer.heading(1, sheet.attributes.Name ?? '')
    for (const row of all(sheet, 'Row'))
      composer.row(childrenOf(row, 'Cell').map((cell) => textIn(child(cell, 'Data'))))
  }
}

// <p begin="00:00:01.000"> or t="1000" d="500", and <text start="1.0" dur="2.0">
function cuesIn(root: Element): Cue[] {
  const cues: Cue[] = []
  for (const element of [...all(root, 'p'), ...all(root, 'text')]) {
    const { begin, start, t, d, dur, end } = element.attributes
    const offsetMs = t !== undefined ? Number(t) : milliseconds(begin ?? start)
    const lengthMs = d !== undefined ? Number(d) : milliseconds(dur)
    // Words inside are marked up once more, and entities escaped twice.
    const said = speakerOf(brokenText(element).replace(/&amp;/g, '&'))
    if (said.text) cues.push({ offsetMs, endMs: end ? milliseconds(end) : offsetMs + lengthMs, ...said })
  }
  return cues
}

function brokenText(element: Element): string {
  return element.children
    .map((inner) => (typeof inner === 'string' ? inner : inner.name === 'br' ? '\n' : brokenText(inner)))
    .join('')
}

function milliseconds(value: string | undefined): number {
  const parts = (value ?? '0').replace(/s$/, '').split(':').map(Number)
  return Math.round(parts.reduce((sum, part) => sum * 60 + (Number.isNaN(part) ? 0 : part), 0) * 1_000)
}

// An element with text of its own is a paragraph.
function writeAny(composer: Composer, element: Element): void {
  const own = element.children.some((inner) => typeof inner === 'string' && inner.trim())
  if (own) composer.paragraph(textIn(element).replace(/\s+/g, ' '))
  else for (const inner of childrenOf(element)) writeAny(composer, inner)
}
