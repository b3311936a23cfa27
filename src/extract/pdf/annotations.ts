// What a PDF page says outside its text: form fields, stamps, notes and comments.

import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

type Annotation = {
  id: string
  subtype?: string
  annotationFlags?: number
  fieldValue?: unknown
  contentsObj?: { str?: string }
  password?: boolean
}

const hidden = 2 | 32 // flags: hidden, not to be viewed

export async function annotationTexts(page: PDFPageProxy): Promise<string[]> {
  try {
    const annotations = ((await page.getAnnotations({ intent: 'display' })) as Annotation[]).filter(
      ({ annotationFlags = 0, password, subtype }) =>
        !(annotationFlags & hidden) && !password && subtype !== 'Link' && subtype !== 'Popup',
    )
    if (annotations.length === 0) return []
    const drawn = await drawnTexts(page)
    return annotations
      .map((annotation) => (drawn.get(annotation.id) ?? '') || writtenText(annotation))
      .filter((text) => text.trim())
  } catch {
    return []
  }
}

// What a reader program would show, taken from the drawing itself.
async function drawnTexts(page: PDFPageProxy): Promise<Map<string, string>> {
  const { fnArray, argsArray } = await page.getOperatorList({ intent: 'display' })
  const texts = new Map<string, string>()
  let id: string | null = null
  let text = ''
  let height = 0
  const moveTo = (next: number) => {
    if (Math.abs(next - height) > 1) text += '\n'
    height = next
  }
  for (const [at, operation] of fnArray.entries()) {
    if (operation === OPS.beginAnnotation) {
      id = String((argsArray[at] as unknown[])[0])
      text = ''
    } else if (operation === OPS.endAnnotation) {
      if (id) texts.set(id, text.trim())
      id = null
    } else if (id && operation === OPS.showText) {
      for (const glyph of (argsArray[at] as [unknown[]])[0]) {
        if (glyph && typeof glyph === 'object' && 'unicode' in glyph) text += glyph.unicode
        else if (typeof glyph === 'number' && glyph < -200) text += ' '
      }
    } else if (operation === OPS.nextLine) moveTo(Number.MAX_VALUE)
    else if (operation === OPS.moveText) moveTo(height + Number((argsArray[at] as number[])[1]))
    else if (operation === OPS.setTextMatrix) moveTo(heightOf(argsArray[at]))
  }
  return texts
}

// The matrix comes as six numbers, or as one list of them.
function heightOf(matrix: unknown): number {
  const numbers = (matrix as [ArrayLike<number>])[0]?.length
    ? (matrix as [ArrayLike<number>])[0]
    : (matrix as ArrayLike<number>)
  return Number(numbers[5] ?? 0)
}

function writtenText({ subtype, fieldValue, contentsObj }: Annotation): string {
  if (subtype !== 'Widget') return contentsObj?.str ?? ''
  if (Array.isArray(fieldValue)) return fieldValue.join(', ')
  return typeof fieldValue === 'string' && fieldValue !== 'Off' ? fieldValue : ''
}
