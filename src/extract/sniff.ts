// Decides what kind of content bytes are, by looking at them; name and declared type only settle what bytes leave open.

import type { Content } from '../ports/extractor.ts'
import { charsetOf, declaredCharset, decodeText } from './encoding.ts'

export type Kind = 'text' | 'html' | 'pdf' | 'binary'

export function sniff(content: Content): Kind {
  const { bytes } = content
  // Some PDFs begin with a few bytes of something else.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).includes('%PDF-')) return 'pdf'
  if (isBinary(bytes)) return 'binary'
  const head = decodeText(bytes.subarray(0, 65_536), declaredCharset(bytes) ?? charsetOf(content.mediaType)).slice(
    0,
    16_384,
  )
  if (looksLikeHtml(head, content)) return 'html'
  return 'text'
}

function looksLikeHtml(head: string, content: Content): boolean {
  const start = head
    .replace(/^\s*(<\?xml[^>]*\?>|<!--[\s\S]*?-->|\s)*/, '')
    .slice(0, 200)
    .toLowerCase()
  if (/^<(!doctype html|html|head|body)\b/.test(start)) return true
  if (!start.startsWith('<')) return false
  const tags = head.match(
    /<\/?(html|head|body|title|meta|p|div|span|a|h[1-6]|table|tr|td|ul|ol|li|br|article|section|script)\b/gi,
  )
  const declared = /html/i.test(content.mediaType ?? '') || /\.x?html?$/i.test(content.name ?? '')
  return (tags?.length ?? 0) >= (declared ? 1 : 4)
}

function isBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, 8_192)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return false
  let control = 0
  const zeros = [0, 0]
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte === 0) zeros[at & 1]!++
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) control++
  }
  // UTF-16 without a mark has its zeros all on one side.
  if (zeros[0]! + zeros[1]! > 0 && Math.min(...zeros) > Math.max(...zeros) * 0.1) return true
  if (zeros[0]! + zeros[1]! > 0 && Math.max(...zeros) < length * 0.2) return true
  return control > length * 0.05
}
