// Pages that are pictures of text, or as good as that: found by what is drawn on them, drawn again, and read by OCR.

import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { limits } from '../limits.ts'
import { recognise } from '../ocr.ts'
import type { Glyphs, Line } from './lines.ts'

const pictures = new Set<number>([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject])

// Hardly any text, or text whose characters mean nothing, and pictures over a good part of the page.
export async function isScanned(page: PDFPageProxy, lines: Line[]): Promise<boolean> {
  const text = lines.map((line) => line.text).join(' ')
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const meaningless = text.match(/[\ufffd\ue000-\uf8ff\0-\x08]/g)?.length ?? 0
  if (letters > 40 && meaningless < letters) return false
  try {
    const { width, height } = page.getViewport({ scale: 1 })
    return (await pictureArea(page)) > width * height * 0.25
  } catch {
    return false
  }
}

// A font that does not say which letters its glyphs are gives their numbers instead. Control characters among them betray
// it; one of them may stand for the space of a font that is sound otherwise.
export function isGarbled(items: Glyphs[]): boolean {
  const text = items.map((item) => item.str.replace(/\s/g, '')).join('')
  const counts = new Map<string, number>()
  for (const [character] of text.matchAll(/[\x01-\x1f\ufffd\ue000-\uf8ff]/g))
    counts.set(character, (counts.get(character) ?? 0) + 1)
  const all = [...counts.values()]
  const meaningless = all.reduce((sum, count) => sum + count, 0) - Math.max(0, ...all)
  return meaningless > text.length * 0.25
}

// Pictures are drawn one unit wide and high; how large that is, the transformations before them say.
async function pictureArea(page: PDFPageProxy): Promise<number> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const saved: number[] = []
  let [scale, area] = [1, 0]
  for (const [at, operation] of fnArray.entries()) {
    if (operation === OPS.save) saved.push(scale)
    else if (operation === OPS.restore) scale = saved.pop() ?? 1
    else if (operation === OPS.transform) {
      const [a, b, c, d] = argsArray[at] as [number, number, number, number]
      scale *= Math.abs(a * d - b * c)
    } else if (pictures.has(operation)) area += scale
  }
  return area
}

export async function recognisePage(page: PDFPageProxy): Promise<string[]> {
  const picture = await draw(page)
  return picture ? recognise(picture) : []
}

async function draw(page: PDFPageProxy): Promise<Uint8Array | null> {
  try {
    const { createCanvas } = await import('@napi-rs/canvas')
    const natural = page.getViewport({ scale: 1 })
    // 200 dots an inch are enough for print, and a bound on pixels keeps posters readable in time.
    const scale = Math.min(200 / 72, Math.sqrt(limits.ocrPixels / (natural.width * natural.height)))
    const viewport = page.getViewport({ scale })
    const canvas = createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)))
    await page.render({ canvas, viewport, background: 'white' } as never).promise
    const picture = canvas.encodeSync('png')
    // Its pixels lie outside the heap, where no collector would hurry to free them.
    canvas.width = canvas.height = 1
    return picture
  } catch {
    // Without the drawing library, or for a page it cannot draw, there is only the text.
    return null
  }
}
