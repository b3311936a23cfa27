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
      if (inner.name === 'fld' && inner.attributes.type === 'slidenum') return ''
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

// Charts and diagrams: every paragraph, then a chart's numbers.
export function writeDiagrams(composer: Composer, root: Element): void {
  for (const paragraph of all(root, 'p')) composer.paragraph(runsOf(paragraph))
  const series = all(root, 'ser')
  if (series.length > 0) writeSeries(composer, series)
  else for (const cache of [...all(root, 'strCache'), ...all(root, 'numCache')]) writeValues(composer, valuesIn(cache))
  // Charts since Office 2016 keep theirs by dimension.
  for (const level of [...all(root, 'strDim'), ...all(root, 'numDim')])
    writeValues(composer, all(level, 'pt').map(textIn))
}

const chartRows = 1_000

const writeValues = (composer: Composer, values: string[]): void =>
  composer.row(values.filter(Boolean).slice(0, chartRows))

// One table: the categories are its first row, and each series is a row.
function writeSeries(composer: Composer, series: Element[]): void {
  const rows = series.map((one) => ({
    name: all(child(one, 'tx'), 'v').map(textIn).join(' '),
    labels: valuesIn(child(one, 'cat') ?? child(one, 'xVal')),
    values: valuesIn(child(one, 'val') ?? child(one, 'yVal')),
  }))
  composer.row(rows.map(({ labels }) => labels).reduce((best, one) => (one.length > best.length ? one : best)))
  for (const { name, values } of rows) composer.row([name, ...values])
}

// Cached points by their place; a category of several levels has its innermost first.
function valuesIn(element: Element | undefined): string[] {
  const values: string[] = []
  for (const point of all(element, 'pt')) {
    const at = Number(point.attributes.idx ?? values.length)
    if (at >= 0 && at < chartRows) values[at] ??= shortNumber(textIn(child(point, 'v')).trim())
  }
  return Array.from(values, (value) => value ?? '')
}

// 0.30000000000000004 is 0.3, and 5.0 is 5.
const shortNumber = (text: string): string =>
  /^-?\d{1,15}\.(?:0|\d{12,30})$/.test(text) ? String(Number(Number(text).toPrecision(12))) : text
