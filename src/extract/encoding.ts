// Bytes to characters, in whatever encoding they were written.

import { analyse } from 'chardet'

// A byte order mark decides, then valid UTF-8, then what the content or its sender declares, then a guess by statistics.
export function decodeText(bytes: Uint8Array, declared: string | null = null): string {
  const marked = byteOrderMark(bytes)
  if (marked) return decodeAs(bytes, marked)
  const wide = zerosTell(bytes)
  if (wide) return decodeAs(bytes, wide)
  if (!isEscaped(bytes)) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      // Not UTF-8: go on.
    }
  }
  return decodeAs(bytes, usable(declared) ?? guessed(bytes))
}

// The charset named in the first bytes of an HTML or XML file.
export function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1')
  return (
    /<meta[^>]{0,200}?charset\s{0,20}=\s{0,20}["']?([\w:.-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]{0,200}?encoding\s{0,20}=\s{0,20}["']([\w:.-]+)/i.exec(head)?.[1] ??
    null
  )
}

export function charsetOf(mediaType: string | null): string | null {
  return /charset\s*=\s*"?([\w:.-]+)/i.exec(mediaType ?? '')?.[1] ?? null
}

export function decodeAs(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

// UTF-16 without a mark: every second byte of mostly Latin text is zero.
function zerosTell(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, 2048) & ~1
  if (length < 4) return null
  let even = 0
  let odd = 0
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  const half = length / 2
  if (odd > half * 0.4 && even < half * 0.1) return 'utf-16le'
  if (even > half * 0.4 && odd < half * 0.1) return 'utf-16be'
  return null
}

// ISO-2022 encodings look like ASCII with escapes, and so like valid UTF-8.
function isEscaped(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 65_536)).toString('latin1')
  return /\x1b[$(][@-JB]/.test(head)
}

function usable(label: string | null): string | null {
  if (!label) return null
  try {
    const name = new TextDecoder(label).encoding
    // Declared UTF-8 was already found untrue.
    return name.startsWith('utf-8') ? null : name
  } catch {
    return null
  }
}

function guessed(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 65_536)
  // A few broken bytes in an otherwise UTF-8 text must not turn the whole into another alphabet.
  const text = new TextDecoder('utf-8').decode(sample)
  const broken = text.split('\ufffd').length - 1
  const beyondAscii = text.replace(/[\0-\x7f]/g, '').length
  if (broken > 0 && beyondAscii > broken * 10) return 'utf-8'
  for (const { name, confidence } of analyse(sample)) {
    const label = usable(name.replace(/^GB18030$/i, 'gb18030'))
    if (label && confidence >= 20) return label
  }
  return 'windows-1252'
}
