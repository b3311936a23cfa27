// Text inside drawings: shapes, tables and diagrams as PowerPoint keeps them, and Excel and Word in part.

import type { Composer } from '../composer.ts'
import { all, child, childrenOf, type Element, textIn } from './xml.ts'

// Paragraphs of a text body, in order, each with its depth in a list.
export function paragraphsIn(body: Element): { text: string; level: number }[] {
  return all(body, 'p').map((paragraph) => ({
    text: runsOf(paragraph),
    level: Number(child(paragraph, 'pPr')?.attributes.lvl ?? 0),
  }))
}

export function runsOf(paragraph: Element): string {
  return childrenOf(paragraph)
    .map((inner): string => {
      if (inner.name === 'r' || inner.name === 'fld') return textIn(child(inner, 't'))
      if (inner.name === 'br') return '\n'
      if (inner.name === 'AlternateContent' || inner.name === 'm' || inner.name === 'Choice')
        return all(inner, 't').map(textIn).join('')
      return ''
    })
    .join('')
}

export function writeTableRows(composer: Composer, table: Element): void {
  for (const row of all(table, 'tr'))
    composer.row(
      childrenOf(row, 'tc').map((cell) =>
        paragraphsIn(cell)
          .map(({ text }) => text)
          .join(' '),
      ),
    )
}

// Charts and diagrams: every paragraph, then every cached label and value that is a word.
export function writeDiagrams(composer: Composer, root: Element): void {
  for (const paragraph of all(root, 'p')) composer.paragraph(runsOf(paragraph))
  for (const cache of [...all(root, 'strCache'), ...all(root, 'numCache')]) {
    const values = all(cache, 'v').map(textIn).filter(Boolean)
    if (values.length > 0) composer.row(values.slice(0, 1_000))
  }
}
