// Word 2003 XML: a whole document in one element, with lists, notes and marks of changes written in ways of its own.

import type { Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { readNumbering } from './numbering.ts'
import { readStyles } from './styles.ts'
import { type Work, writeBlocks, writeRepeated } from './word-blocks.ts'
import { all, child, type Element, readXml, textIn } from './xml.ts'

export function fromWordml(root: Element): Extracted {
  const work: Work = {
    composer: createComposer(),
    styles: readStyles(root),
    numbering: readNumbering(readXml(null)),
    notes: { footnote: new Map(), endnote: new Map(), comment: new Map() },
    chunks: new Map(),
    page: 1,
    paged: false,
  }
  const body = child(root, 'body')
  writeRepeated(work, all(body, 'hdr'))
  if (body) writeBlocks(work, body)
  writeRepeated(work, all(body, 'ftr'))
  const facts = child(root, 'DocumentProperties')
  return work.composer.finish('wordml', {
    title: textIn(child(facts, 'Title')),
    author: textIn(child(facts, 'Author')),
    time: new Date(textIn(child(facts, 'Created')) || Number.NaN),
  })
}
