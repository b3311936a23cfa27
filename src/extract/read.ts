// The table of kinds: which function reads which content.

import { AppError } from '../domain/errors.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import { type Kind, sniff } from './sniff.ts'

type Reader = (content: Content) => Extracted | Promise<Extracted>

// Readers are loaded when their kind first comes, so that a note does not wait for the PDF library.
const readers: Record<Kind, () => Promise<Reader>> = {
  text: async () => (await import('./text.ts')).readText,
  html: async () => (await import('./html.ts')).readHtml,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  binary: async () => unsupported,
}

export const supported = 'text, Markdown, HTML'

export async function read(content: Content): Promise<Extracted> {
  if (content.bytes.length === 0) throw new AppError('unreadable', 'The file is empty.')
  const reader = await readers[content.kind ?? sniff(content)]()
  const extracted = await reader(content)
  if (!extracted.text.trim()) throw new AppError('unreadable', 'There is no text in it.')
  return extracted
}

function unsupported(): never {
  throw new AppError('unreadable', `This kind of file cannot be read. Supported are ${supported}.`)
}
