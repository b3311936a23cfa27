// Outlook messages: properties as streams of a compound file, attachments as folders.

import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Compound, openCompound } from '../legacy/compound.ts'
import { fromRtf } from '../legacy/rtf.ts'
import { codePageLabel } from '../legacy/rtf-words.ts'
import { fileTime } from '../legacy/summary.ts'
import { type Message, writeMessage } from './write.ts'

export async function readMsg({ bytes }: Content): Promise<Extracted> {
  const compound = openCompound(bytes)
  return writeMessage(messageIn(compound, ''))
}

function messageIn(compound: Compound, folder: string): Message {
  const properties = propertiesIn(compound, folder)
  const codePage = Number(properties.numbers.get(0x3ffd) ?? 1252)
  const text = (id: string) => textProperty(compound, folder, id, codePage)
  const html = compound.read(`${folder}__substg1.0_10130102`)
  const rtf = compound.read(`${folder}__substg1.0_10090102`)
  const address = text('5D01') ?? text('0C1F')
  const name = text('0C1A') ?? text('0042')
  return {
    subject: text('0037'),
    from: name && address && name !== address && !address.startsWith('/') ? `${name} <${address}>` : (name ?? address),
    to: (text('0E04') ?? '')
      .split(';')
      .map((entry) => entry.trim())
      .filter(Boolean),
    time: properties.times.get(0x0039) ?? properties.times.get(0x0e06) ?? null,
    text: text('1000'),
    html:
      text('1013') ??
      (html ? new TextDecoder(codePageLabel(Number(properties.numbers.get(0x3fde) ?? codePage))).decode(html) : null),
    rtf: rtf ? fromRtf(unpackRtf(rtf).toString('latin1')) : null,
    attachments: attachmentsIn(compound, folder, codePage),
  }
}

function attachmentsIn(compound: Compound, folder: string, codePage: number): Content[] {
  const attachments: Content[] = []
  for (const { path, name, isStream } of compound.entries) {
    if (isStream || !/^__attach_version1\.0_#/i.test(name) || path !== `${folder}${name}`) continue
    const bytes = compound.read(`${path}/__substg1.0_37010102`)
    const title =
      textProperty(compound, `${path}/`, '3707', codePage) ?? textProperty(compound, `${path}/`, '3704', codePage)
    if (bytes) attachments.push({ bytes, name: title, mediaType: textProperty(compound, `${path}/`, '370E', codePage) })
    else {
      // A message inside a message has no bytes of its own: its text stands for it.
      const inner = messageIn(compound, `${path}/__substg1.0_3701000D/`)
      const words = [inner.subject, inner.from && `From: ${inner.from}`, inner.text ?? inner.rtf?.text]
        .filter(Boolean)
        .join('\n\n')
      if (words)
        attachments.push({
          bytes: Buffer.from(words),
          name: title ?? inner.subject,
          mediaType: 'text/plain',
          kind: 'text',
        })
    }
  }
  return attachments
}

function textProperty(compound: Compound, folder: string, id: string, codePage: number): string | null {
  const wide = compound.read(`${folder}__substg1.0_${id}001F`)
  if (wide) return withoutZeros(wide.toString('utf16le')).trim() || null
  const narrow = compound.read(`${folder}__substg1.0_${id}001E`)
  return narrow ? withoutZeros(new TextDecoder(codePageLabel(codePage)).decode(narrow)).trim() || null : null
}

function withoutZeros(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\0') end--
  return text.slice(0, end)
}

// Numbers and times stand in one stream, sixteen bytes each, behind a head that is longer for the message itself.
function propertiesIn(compound: Compound, folder: string) {
  const numbers = new Map<number, number>()
  const times = new Map<number, Date>()
  const bytes = compound.read(`${folder}__properties_version1.0`)
  for (let at = folder ? 24 : 32; bytes && at + 16 <= bytes.length; at += 16) {
    const [type, id] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
    if (type === 0x0003) numbers.set(id, bytes.readUInt32LE(at + 8))
    const time = type === 0x0040 ? fileTime(bytes, at + 8) : null
    if (time) times.set(id, time)
  }
  return { numbers, times }
}

const known =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

// Outlook packs RTF by pointing back into what was already said, beginning with a text both sides know.
export function unpackRtf(packed: Buffer): Buffer {
  if (packed.length < 16) return Buffer.alloc(0)
  if (packed.readUInt32LE(8) === 0x414c454d) return packed.subarray(16)
  const wanted = Math.min(packed.readUInt32LE(4), packed.length * 20)
  const output = Buffer.alloc(known.length + wanted + 32)
  let end = output.write(known, 'latin1')
  let at = 16
  while (at < packed.length && end < known.length + wanted) {
    const control = packed[at++]!
    for (let bit = 0; bit < 8 && at < packed.length && end < known.length + wanted; bit++) {
      if (!(control & (1 << bit))) {
        output[end++] = packed[at++]!
        continue
      }
      if (at + 2 > packed.length) return output.subarray(known.length, end)
      const pair = packed.readUInt16BE(at)
      at += 2
      const back = (pair >> 4) & 0xfff
      const distance = ((end & 0xfff) - back + 0x1000) & 0xfff
      if (distance === 0) return output.subarray(known.length, end)
      for (let count = (pair & 15) + 2; count > 0 && end < output.length; count--, end++)
        output[end] = output[end - distance] ?? 0
    }
  }
  return output.subarray(known.length, end)
}
