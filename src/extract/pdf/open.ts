// Opens a PDF; one that keeps only its attachments secret is opened without them, a mask of enormous size is left out.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getDocument, PasswordException, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

const library = join(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json'))), '/')

const MASK_HEAD = 1_024 // characters of a picture's dictionary that are looked at

export type Opened = { document: PDFDocumentProxy; attachmentsSecret: boolean }

export async function openPdf(bytes: Uint8Array): Promise<Opened> {
  const light = withoutHugeMasks(bytes)
  try {
    return { document: await load(light), attachmentsSecret: false }
  } catch (error) {
    if (!(error instanceof PasswordException))
      throw new AppError('unreadable', 'The PDF is damaged and cannot be opened.', { cause: error })
    const plain = withoutEncryption(light)
    const document = plain ? await load(plain).catch(() => null) : null
    if (document) return { document, attachmentsSecret: true }
    throw new AppError('unreadable', 'The PDF is encrypted with a password.', { cause: error })
  }
}

function load(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  return getDocument({
    // The library takes what it is given for its own.
    data: new Uint8Array(bytes),
    cMapUrl: `${library}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${library}standard_fonts/`,
    wasmUrl: `${library}wasm/`,
    iccUrl: `${library}iccs/`,
    enableXfa: true,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: limits.picturePixels,
    verbosity: 0,
  }).promise
}

// What makes pictures transparent: the library bounds pictures, but not these. The reference is renamed in its
// place, so that offsets stay right. A picture's dictionary is never compressed or encrypted.
function withoutHugeMasks(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!text.includes('/SMask')) return bytes
  const huge = new Set<string>()
  for (const { index, 1: number } of text.matchAll(/\b(\d+)\s\d+\sobj\b/g)) {
    const [head] = text.slice(index, index + MASK_HEAD).split('stream', 1)
    const side = (pattern: RegExp) => Number(pattern.exec(head!)?.[1] ?? 0)
    if (side(/\/Width\s(\d+)/) * side(/\/Height\s(\d+)/) > limits.picturePixels) huge.add(number!)
  }
  if (huge.size === 0) return bytes
  const plain = new Uint8Array(bytes)
  for (const { index, 1: number } of text.matchAll(/\/SMask\s(\d+)\s\d+\sR\b/g))
    if (huge.has(number!)) plain.set(Buffer.from('/XMask'), index)
  return plain
}

// The library asks for a password as soon as there is an encryption dictionary, even where that says that streams and
// strings stay as they are. Then the reference to it is renamed, in its place, so that all offsets stay right. Neither
// the dictionary nor a trailer is ever compressed or encrypted.
function withoutEncryption(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const references = [...text.matchAll(/\/Encrypt\s+(\d+)\s+(\d+)\s+R\b/g)]
  if (
    references.length === 0 ||
    !references.every(([, number, generation]) => leavesTextPlain(text, number!, generation!))
  )
    return null
  const plain = new Uint8Array(bytes)
  for (const { index } of references) plain.set(Buffer.from('/Ignored'), index)
  return plain
}

function leavesTextPlain(text: string, number: string, generation: string): boolean {
  const start = new RegExp(`(?:^|[\\r\\n\\s])${number}\\s+${generation}\\s+obj\\b`).exec(text)
  if (!start) return false
  const end = text.indexOf('endobj', start.index)
  const dictionary = text.slice(start.index, end < 0 ? start.index + 4096 : end)
  // Before version 4 everything is encrypted; from then on what is not named stays as it is.
  const version = Number(/\/V\s+(\d+)/.exec(dictionary)?.[1] ?? 0)
  return version >= 4 && !/\/(?:StmF|StrF)\s*\/(?!Identity\b)/.test(dictionary)
}
