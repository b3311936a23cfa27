// PowerPoint: each slide is a page with its title, text, tables, diagrams, speaker's notes and comments.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { readNested } from '../nested.ts'
import { progressed } from '../progress.ts'
import { paragraphsIn, writeDiagrams, writeTableRows } from './drawing.ts'
import { describe, filedUnder, openPackage, type Package } from './package.ts'
import { all, child, childrenOf, type Element, textIn } from './xml.ts'

type Deck = { composer: Composer; repeated: Set<string> }

export async function readPptx({ bytes }: Content): Promise<Extracted> {
  const opened = openPackage(bytes)
  const composer = createComposer()
  const deck: Deck = { composer, repeated: new Set() }
  const slides = slideNames(opened)
  for (const [index, name] of slides.entries()) {
    composer.startPage(index + 1)
    writeSlide(deck, opened, name)
    progressed(index / slides.length)
  }
  composer.startPage(undefined)
  if (composer.length === 0) writeMasters(deck, opened)
  await readNested(composer, opened, /^ppt\/embeddings/i)
  composer.paragraph(filedUnder(opened))
  return composer.finish('pptx', describe(opened))
}

// A deck whose slides are empty is its masters: a template, with what it is to be filled with.
function writeMasters(deck: Deck, opened: Package): void {
  for (const name of opened.names)
    if (/^ppt\/slide(?:Masters|Layouts)\/[^/]+\.xml$/i.test(name))
      for (const tree of all(opened.xml(name), 'spTree')) writeShapes(deck, tree)
}

function slideNames(opened: Package): string[] {
  const main = opened.main ?? 'ppt/presentation.xml'
  const targets = new Map(opened.relations(main).map((relation) => [relation.id, relation.target]))
  const ordered = all(opened.xml(main), 'sldId')
    .map(({ attributes }) => targets.get(attributes['r:id'] ?? '') ?? targets.get(attributes.id ?? ''))
    .filter((name) => name !== undefined)
  if (ordered.length > 0) return ordered
  const number = (name: string) => Number(/(\d{1,9})\.xml$/i.exec(name)?.[1] ?? 0)
  return opened.names
    .filter((name) => /slides\/slide\d+\.xml$/i.test(name))
    .sort((one, two) => number(one) - number(two))
}

function writeSlide(deck: Deck, opened: Package, name: string): void {
  const { composer } = deck
  const slide = opened.xml(name)
  const relations = opened.relations(name)
  for (const tree of all(slide, 'spTree')) writeShapes(deck, tree)
  for (const { type, target, external } of relations) {
    if (external) continue
    if (type === 'chart' || type === 'chartEx' || type === 'diagramData') writeDiagrams(composer, opened.xml(target))
    if (type === 'notesSlide') for (const tree of all(opened.xml(target), 'spTree')) writeShapes(deck, tree, true)
    if (type === 'comments')
      for (const comment of all(opened.xml(target), 'cm')) composer.paragraph(commentText(comment))
  }
}

function commentText(comment: Element): string {
  return (
    textIn(child(comment, 'text')) ||
    paragraphsIn(comment)
      .map(({ text }) => text)
      .join('\n')
  )
}

function writeShapes(deck: Deck, tree: Element, inNotes = false): void {
  for (const shape of childrenOf(tree)) {
    if (shape.name === 'grpSp') writeShapes(deck, shape, inNotes)
    else if (shape.name === 'AlternateContent')
      writeShapes(deck, child(shape, 'Choice') ?? child(shape, 'Fallback') ?? shape, inNotes)
    else if (shape.name === 'graphicFrame') for (const table of all(shape, 'tbl')) writeTableRows(deck.composer, table)
    else if (shape.name === 'sp' || shape.name === 'cxnSp' || shape.name === 'pic') writeShape(deck, shape, inNotes)
  }
}

function writeShape({ composer, repeated }: Deck, shape: Element, inNotes: boolean): void {
  const kind = all(shape, 'ph')[0]?.attributes.type ?? ''
  // Numbers, dates and the small picture of the slide are furniture.
  if (kind === 'sldNum' || kind === 'sldImg' || (inNotes && kind === 'dt')) return
  for (const body of childrenOf(shape, 'txBody')) {
    const paragraphs = paragraphsIn(body).filter(({ text }) => text.trim())
    if (kind === 'title' || kind === 'ctrTitle') composer.heading(1, paragraphs.map(({ text }) => text).join(' '))
    else if (kind === 'subTitle') for (const { text } of paragraphs) composer.heading(2, text)
    else if (kind === 'ftr' || kind === 'hdr' || kind === 'dt') {
      // They run over all slides.
      for (const { text } of paragraphs) if (!repeated.has(text)) composer.paragraph(text)
      for (const { text } of paragraphs) repeated.add(text)
    } else
      for (const { text } of paragraphs)
        paragraphs.length > 1 && !inNotes ? composer.item(text) : composer.paragraph(text)
  }
}
