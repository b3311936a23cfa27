// PDF: the text of each page in reading order; pages that are pictures, or whose letters mean nothing, are read by OCR.

import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { limits } from '../limits.ts'
import { readInner, writeInner } from '../nested.ts'
import { progressed } from '../progress.ts'
import { annotationTexts } from './annotations.ts'
import { linesInOrder } from './layout.ts'
import { type Glyphs, linesOf, type Page } from './lines.ts'
import { openPdf } from './open.ts'
import { writePages } from './paragraphs.ts'
import { isGarbled, isScanned, recognisePage } from './scan.ts'
import { type HyphenSearch, startHyphenSearch, withSoftHyphens } from './soft-hyphens.ts'

export async function readPdf({ bytes }: Content): Promise<Extracted> {
  const { document, attachmentsSecret } = await openPdf(bytes)
  try {
    const composer = createComposer()
    const pages: Page[] = []
    const count = Math.min(document.numPages, limits.extractPages)
    const budget = { pages: limits.ocrPages, hyphens: startHyphenSearch(), seen: new Set<string>(), twice: 0 }
    for (let number = 1; number <= count && budget.twice <= limits.extractPagesTwice; number++) {
      pages.push(await readPage(document, number, budget))
      progressed(number / count)
    }
    writePages(composer, pages)
    if (!attachmentsSecret) await writeAttachments(composer, document)
    const extracted = composer.finish('pdf', await describe(document))
    if (!extracted.text) throw new AppError('unreadable', emptySentence(pages))
    return extracted
  } finally {
    await document.loadingTask.destroy()
  }
}

type Budget = { pages: number; hyphens: HyphenSearch; seen: Set<string>; twice: number }

async function readPage(document: PDFDocumentProxy, number: number, budget: Budget): Promise<Page> {
  let page: PDFPageProxy
  try {
    page = await document.getPage(number)
  } catch {
    // One broken page does not cost the others.
    return { number, lines: [], added: [], recognised: [], broken: true }
  }
  try {
    if (isSeen(page, budget)) return { number, lines: [], added: [], recognised: [], broken: false }
    const items = await textItems(page)
    const lines = linesInOrder(linesOf(await withSoftHyphens(page, items, budget.hyphens)))
    const added = await annotationTexts(page)
    const garbled = isGarbled(items)
    const drawn = budget.pages > 0 && (garbled || (await isScanned(page, lines)))
    if (drawn) budget.pages--
    const recognised = drawn ? await recognisePage(page) : []
    return { number, lines: garbled && recognised.length > 0 ? [] : lines, added, recognised, broken: false }
  } finally {
    page.cleanup()
  }
}

// A page tree may name one page any number of times.
function isSeen({ ref }: PDFPageProxy, budget: Budget): boolean {
  const name = ref && `${ref.num} ${ref.gen}`
  if (!name) return false
  const cameBefore = budget.seen.has(name)
  if (cameBefore) budget.twice++
  budget.seen.add(name)
  return cameBefore
}

async function textItems(page: PDFPageProxy): Promise<Glyphs[]> {
  try {
    const { items, styles } = await page.getTextContent({ includeMarkedContent: false })
    return items
      .filter((item) => 'str' in item)
      .map((item) => ({ ...item, vertical: styles[item.fontName]?.vertical === true }))
  } catch {
    return []
  }
}

async function writeAttachments(composer: Composer, document: PDFDocumentProxy): Promise<void> {
  const attachments = (await document.getAttachments().catch(() => null)) as Record<
    string,
    { filename: string; content: Uint8Array }
  > | null
  composer.startPage(undefined)
  for (const { filename, content } of Object.values(attachments ?? {})) {
    const inner = content ? await readInner({ bytes: content, name: filename, mediaType: null }) : null
    if (inner) writeInner(composer, filename, inner)
  }
}

async function describe(document: PDFDocumentProxy) {
  try {
    const { info } = (await document.getMetadata()) as { info: Record<string, unknown> }
    const title = typeof info.Title === 'string' ? info.Title : null
    return {
      // Programs put their file names there.
      title:
        title &&
        !/^(untitled|microsoft (word|powerpoint) - |.*\.(docx?|pptx?|xlsx?|indd|qxd|tex|dvi|pdf)$)/i.test(title)
          ? title
          : null,
      author: typeof info.Author === 'string' ? info.Author : null,
      time: parseDate(info.CreationDate),
    }
  } catch {
    return {}
  }
}

// D:20240131120000+01'00'
function parseDate(value: unknown): Date | null {
  const found = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?)?/.exec(
    String(value ?? ''),
  )
  if (!found) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0))
  const offset = found[7] ? (found[7] === '-' ? -1 : 1) * (Number(found[8]) * 60 + Number(found[9] ?? 0)) : 0
  const date = new Date(Date.UTC(year!, (month || 1) - 1, day || 1, hour, minute! - offset, second))
  return date.getUTCFullYear() > 1980 && date.getTime() < Date.now() + 86_400_000 ? date : null
}

function emptySentence(pages: Page[]): string {
  if (pages.every((page) => page.broken)) return 'The PDF is damaged: none of its pages can be read.'
  return 'There is no text in the PDF, and none could be recognised in its pictures.'
}
