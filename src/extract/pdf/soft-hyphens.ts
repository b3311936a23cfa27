// Puts back the soft hyphens that the library drops from a page's text: many programs print them as hyphens.

import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Glyphs } from './lines.ts'

const sampledPages = 5
const context = 6 // visible characters on each side by which a place is found again

// Drawing a page costs more than reading its text, so that a document is believed to have none after some pages without.
export type HyphenSearch = { found: boolean; pagesLeft: number }
export const startHyphenSearch = (): HyphenSearch => ({ found: false, pagesLeft: sampledPages })

export async function withSoftHyphens(page: PDFPageProxy, items: Glyphs[], search: HyphenSearch): Promise<Glyphs[]> {
  if (items.length === 0 || (!search.found && search.pagesLeft <= 0)) return items
  search.pagesLeft--
  try {
    const drawn = await drawnCharacters(page)
    if (!drawn.includes('\u00ad')) return items
    search.found = true
    return insert(items, drawn)
  } catch {
    return items
  }
}

// What is shown, in the order in which it is drawn, which is the order of the items too; spaces are not compared.
async function drawnCharacters(page: PDFPageProxy): Promise<string> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  const parts: string[] = []
  for (const [at, operation] of fnArray.entries()) {
    if (operation !== OPS.showText) continue
    for (const glyph of (argsArray[at] as [({ unicode: string; width: number } | number | null)[]])[0]) {
      if (!glyph || typeof glyph !== 'object') continue
      if (glyph.unicode !== '\u00ad') parts.push(visible(glyph.unicode.normalize('NFKC')))
      else if (glyph.width > 0) parts.push(glyph.unicode)
    }
  }
  return parts.join('')
}

function insert(items: Glyphs[], drawn: string): Glyphs[] {
  const text = items.map((item) => visible(item.str)).join('')
  const places: number[] = []
  let from = 0
  for (let at = drawn.indexOf('\u00ad'); at >= 0; at = drawn.indexOf('\u00ad', at + 1)) {
    const before = drawn
      .slice(Math.max(0, at - context * 2), at)
      .replaceAll('\u00ad', '')
      .slice(-context)
    const after = drawn
      .slice(at, at + context * 2)
      .replaceAll('\u00ad', '')
      .slice(0, context)
    const found = before ? text.indexOf(before + after, from) : -1
    if (found < 0) continue
    places.push(found + before.length)
    from = found
  }
  let [passed, next] = [0, 0]
  return items.map((item) => {
    if (next >= places.length) return item
    let str = ''
    for (const character of item.str) {
      str += character
      passed += visible(character).length
      for (; next < places.length && places[next]! <= passed && visible(character); next++) str += '\u00ad'
    }
    return { ...item, str }
  })
}

function visible(text: string): string {
  return text.replace(/[\s\0-\x1f\u00ad]/g, '')
}
