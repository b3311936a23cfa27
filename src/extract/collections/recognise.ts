// Whose export a file is, by what is in it; the names of files only settle what that leaves open.

import { byteOrderMark } from '../encoding.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { discord } from './discord.ts'
import type { Format } from './format.ts'
import { slack } from './slack.ts'
import type { Source, SourceFile } from './source.ts'
import { telegram } from './telegram.ts'
import { whatsapp } from './whatsapp.ts'

const formats: readonly Format[] = [chatgpt, claude, slack, telegram, discord, whatsapp]

// In an archive: pictures and the like are not looked into.
const TEXTS = new Set(['json', 'txt', 'eml', 'mbox', 'mbx', 'md', 'markdown', 'ics', 'vcf', 'html', 'htm', ''])

function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}

export type Recognised = { parts: { format: Format; files: SourceFile[] }[]; others: SourceFile[] }

export async function recognise(source: Source): Promise<Recognised> {
  const found = new Map<Format, SourceFile[]>()
  const others: SourceFile[] = []
  for (const file of source.files) {
    const isText = !source.isArchive || TEXTS.has(endingOf(file.path))
    const format = isText ? formatOf(await file.head(), file.path) : undefined
    if (format) found.set(format, [...(found.get(format) ?? []), file])
    else others.push(file)
  }
  return { parts: [...found].map(([format, files]) => ({ format, files })), others }
}

function formatOf(bytes: Uint8Array, path: string): Format | undefined {
  const head = new TextDecoder(byteOrderMark(bytes) ?? 'utf-8').decode(bytes)
  return formats.find((one) => one.matches(head, path))
}
