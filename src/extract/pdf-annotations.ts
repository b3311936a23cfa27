// What a PDF page says outside its text: form fields, notes and comments.

import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

type Annotation = {
  subtype?: string
  fieldType?: string
  fieldValue?: unknown
  contentsObj?: { str?: string }
  textContent?: string[]
  hidden?: boolean
  noView?: boolean
  password?: boolean
  checkBox?: boolean
  radioButton?: boolean
  pushButton?: boolean
}

export async function annotationTexts(page: PDFPageProxy): Promise<string[]> {
  let annotations: Annotation[]
  try {
    annotations = (await page.getAnnotations({ intent: 'display' })) as Annotation[]
  } catch {
    return []
  }
  const texts = annotations.filter((annotation) => !annotation.password).map(textOf)
  return [...new Set(texts.filter((text) => text.trim()))]
}

function textOf(annotation: Annotation): string {
  if (annotation.subtype === 'Widget') {
    const drawn = annotation.textContent?.join('\n') ?? ''
    if (annotation.checkBox || annotation.radioButton) return drawn
    const value = annotation.fieldValue
    const typed = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''
    return drawn.trim() ? drawn : typed
  }
  const drawn = annotation.textContent?.join('\n') ?? ''
  return drawn.trim() ? drawn : (annotation.contentsObj?.str ?? '')
}
