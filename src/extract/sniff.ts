// Decides what kind of content bytes are, by looking at them; name and declared type only settle what bytes leave open.

import { AppError } from '../domain/errors.ts'
import type { Content } from '../ports/extractor.ts'
import { charsetOf, declaredCharset, decodeText } from './encoding.ts'
import { isCompound, openCompound } from './legacy/compound.ts'
import { isZip, openZip } from './office/zip.ts'
import { pictureSize } from './picture-size.ts'
import { looksLikeSubtitles } from './plain/subtitles.ts'
import { looksLikeTable, separatorOf } from './plain/table.ts'
import { recordingKind } from './recording.ts'

export type Kind =
  | 'text'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'flat-docx'
  | 'pptx'
  | 'xlsx'
  | 'odf'
  | 'flat-odf'
  | 'epub'
  | 'archive'
  | 'doc'
  | 'xls'
  | 'ppt'
  | 'msg'
  | 'ole'
  | 'rtf'
  | 'eml'
  | 'mbox'
  | 'csv'
  | 'subtitles'
  | 'xml'
  | 'picture'
  | 'recording'
  | 'transcript'
  | 'unknown'

export function sniff(content: Content): Kind {
  const { bytes } = content
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4_096))
  if (isZip(bytes)) return zipKind(bytes)
  if (isCompound(bytes)) return compoundKind(bytes)
  if (/^\s*\{\\rtf/.test(head.toString('latin1', 0, 64))) return 'rtf'
  if (pictureSize(bytes)) return 'picture'
  if (recordingKind(bytes)) return 'recording'
  // Some PDFs begin with a few bytes of something else; a mail that carries one does not.
  const isMail = looksLikeMail(head.toString('latin1'))
  if (!isMail && head.subarray(0, 1_024).includes('%PDF-')) return 'pdf'
  if (isMail) return isMail
  return isBinary(bytes) ? 'unknown' : textKind(content)
}

function zipKind(bytes: Uint8Array): Kind {
  const archive = openZip(bytes)
  const type = Buffer.from(archive.read('mimetype') ?? [])
    .toString('latin1')
    .trim()
  if (type === 'application/epub+zip') return 'epub'
  if (type.startsWith('application/vnd.oasis.opendocument')) return 'odf'
  const names = archive.names.join('\n')
  const types = Buffer.from(archive.read('[Content_Types].xml') ?? []).toString('utf8')
  if (/wordprocessingml|ms-word\./.test(types) || /^word\/document/im.test(names)) return 'docx'
  if (/presentationml|ms-powerpoint\./.test(types) || /^ppt\/slides/im.test(names)) return 'pptx'
  if (/spreadsheetml|ms-excel\./.test(types) || /^xl\/(workbook|worksheets)/im.test(names)) return 'xlsx'
  if (/^META-INF\/container\.xml$/im.test(names)) return 'epub'
  if (/^content\.xml$/im.test(names)) return 'odf'
  return 'archive'
}

function compoundKind(bytes: Uint8Array): Kind {
  let paths: string
  try {
    paths = openCompound(bytes)
      .entries.map((entry) => entry.path)
      .join('\n')
  } catch (error) {
    throw new AppError('unreadable', 'The file is damaged and cannot be opened.', { cause: error })
  }
  if (/^EncryptedPackage$/im.test(paths)) throw new AppError('unreadable', 'The file is encrypted with a password.')
  if (/^WordDocument$/im.test(paths)) return 'doc'
  if (/^(Workbook|Book)$/im.test(paths)) return 'xls'
  if (/^PowerPoint Document$/im.test(paths)) return 'ppt'
  if (/^__properties_version1\.0$/im.test(paths)) return 'msg'
  return /^(CONTENTS|Package|\x01Ole10Native)$/im.test(paths) ? 'ole' : 'unknown'
}

function textKind(content: Content): Kind {
  const { bytes, name, mediaType } = content
  const declared = charsetOf(mediaType) ?? declaredCharset(bytes)
  const text = decodeText(bytes.subarray(0, 65_536), declared).slice(0, 16_384)
  const hint = `${mediaType ?? ''} ${/\.(\w+)$/.exec(name ?? '')?.[1] ?? ''}`.toLowerCase()
  if (looksLikeSubtitles(text)) return 'subtitles'
  const xml = xmlKind(text)
  if (xml) return xml
  if (looksLikeHtml(text, /html/.test(hint))) return 'html'
  if (/^\s*<\?xml/.test(text)) return 'xml'
  if (/\b(csv|tsv|tab-separated-values)\b/.test(hint) && separatorOf(text)) return 'csv'
  if (!/\b(md|markdown)\b/.test(hint) && looksLikeTable(text)) return 'csv'
  return 'text'
}

function xmlKind(text: string): Kind | null {
  const root = /^<([\w:-]+)/.exec(text.slice(prologEnd(text)))?.[1]
  if (!root || /^html$/i.test(root)) return null
  const local = root.slice(root.indexOf(':') + 1)
  if (root === 'office:document') return 'flat-odf'
  if (local === 'package' && /pkg:name="\/word\//.test(text)) return 'flat-docx'
  if (/^(FictionBook|tt|transcript|timedtext|wordDocument|Workbook)$/.test(local)) return 'xml'
  return null
}

// Where the first element may begin: behind declarations, comments and white space. A pattern would try every way to
// part the comments.
function prologEnd(text: string, { doctype = true } = {}): number {
  let at = 0
  for (;;) {
    while (at < text.length && /\s/.test(text[at]!)) at++
    const head = text.slice(at, at + 9).toLowerCase()
    const close = head.startsWith('<?') ? '?>' : head.startsWith('<!--') ? '-->' : ''
    const end = close ? text.indexOf(close, at + 2) : -1
    if (end >= 0) at = end + close.length
    else if (doctype && head === '<!doctype') {
      const closed = doctypeEnd(text, at)
      if (closed < 0) return at
      at = closed
    } else return at
  }
}

function doctypeEnd(text: string, at: number): number {
  const plain = text.indexOf('>', at)
  const bracket = text.indexOf('[', at)
  if (plain < 0 || bracket < 0 || plain < bracket) return plain < 0 ? -1 : plain + 1
  const inner = text.indexOf(']', bracket)
  const closed = inner < 0 ? -1 : text.indexOf('>', inner)
  return closed < 0 ? -1 : closed + 1
}

function looksLikeHtml(text: string, declared: boolean): boolean {
  const end = prologEnd(text, { doctype: false })
  const start = text.slice(end, end + 200).toLowerCase()
  if (/^<(!doctype html|html|head|body)\b/.test(start)) return true
  const tags = text.match(
    /<\/?(html|head|body|title|meta|p|div|span|a|h[1-6]|table|tr|td|ul|ol|li|br|article|section|script)\b[^<>]*>/gi,
  )
  if (declared) return (tags?.length ?? 0) >= 1
  return start.startsWith('<') && (tags?.length ?? 0) >= 4
}

// The lines of a message's head, two of them at least that only mail has.
export function looksLikeMail(head: string): 'eml' | 'mbox' | null {
  const text = head.replace(/^\ufeff|^\xef\xbb\xbf/, '')
  const isBox = /^From [^\n]*\n[\w-]{1,60}:/.test(text)
  const lines = text.replace(/^From [^\n]*\n/, '').split(/\r?\n/, 60)
  const blank = lines.findIndex((line) => !line.trim())
  const heads = (blank < 0 ? lines : lines.slice(0, blank)).filter((line) => /^[\w-]{1,60}:/.test(line))
  if (!/^[\w-]{1,60}:/.test(lines[0] ?? '')) return null
  const certain = heads.filter((line) =>
    /^(received|from|to|subject|date|message-id|mime-version|return-path|delivered-to|content-type|reply-to|x-[\w-]+):/i.test(
      line,
    ),
  )
  if (isBox && certain.length >= 1) return 'mbox'
  return certain.length >= 3 ||
    (certain.length >= 2 && /^(received|message-id|mime-version|return-path|delivered-to):/im.test(heads.join('\n')))
    ? 'eml'
    : null
}

function isBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, 8_192)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return false
  let control = 0
  const zeros: [number, number] = [0, 0]
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte === 0) zeros[(at & 1) as 0 | 1]++
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) control++
  }
  // UTF-16 without a mark has its zeros all on one side.
  if (zeros[0] + zeros[1] > 0 && Math.min(...zeros) > Math.max(...zeros) * 0.1) return true
  if (zeros[0] + zeros[1] > 0 && Math.max(...zeros) < length * 0.2) return true
  return control > length * 0.05
}
