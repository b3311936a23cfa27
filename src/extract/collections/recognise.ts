// Whose export a file is, by what is in it; the names of files only settle what that leaves open.

import { byteOrderMark } from '../encoding.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { discord } from './discord.ts'
import type { Format } from './format.ts'
import { bookmarks } from './lists/bookmarks.ts'
import { calendar } from './lists/calendar.ts'
import { contacts } from './lists/contacts.ts'
import { mail } from './mail/mail.ts'
import { keep } from './notes/keep.ts'
import { notes } from './notes/notes.ts'
import { slack } from './slack.ts'
import type { Source, SourceFile } from './source.ts'
import { telegram } from './telegram.ts'
import { whatsapp } from './whatsapp.ts'

// The last of these take what looks like an ordinary document.
const formats: readonly Format[] = [
  chatgpt,
  claude,
  slack,
  telegram,
  discord,
  whatsapp,
  keep,
  calendar,
  contacts,
  bookmarks,
  mail,
  notes,
]

// In an archive: pictures and the like are not looked into.
const TEXTS = new Set(['json', 'txt', 'eml', 'emlx', 'mbox', 'mbx', 'md', 'markdown', 'ics', 'vcf', 'html', 'htm', ''])
// What lies beside documents without being one.
const MEDIA = new Set(
  [
    'jpg jpeg png gif webp heic heif bmp svg tif tiff ico',
    'mp3 m4a ogg opus wav aac mp4 mov avi mkv webm css js json',
  ].flatMap((endings) => endings.split(' ')),
)

const endingOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}

export type Recognised = { parts: { format: Format; files: SourceFile[] }[]; others: SourceFile[] }

export async function recognise(source: Source): Promise<Recognised> {
  const found = new Map<Format, SourceFile[]>()
  const possible = new Map<Format, SourceFile[]>()
  const others: SourceFile[] = []
  for (const file of source.files) {
    const isText = !source.isArchive || TEXTS.has(endingOf(file.path))
    const { format, match } = isText ? formatOf(await file.head(), file.path) : {}
    if (!format) others.push(file)
    else put(match === true ? found : possible, format, file)
  }
  const accepted = source.isArchive && areMost(possible, others) ? possible : null
  for (const [format, files] of possible)
    for (const file of files) accepted ? put(found, format, file) : others.push(file)
  return { parts: [...found].map(([format, files]) => ({ format, files })), others }
}

export const isSetting = ({ path }: SourceFile): boolean => /(^|\/)\.obsidian\//.test(path)

function put(among: Map<Format, SourceFile[]>, format: Format, file: SourceFile): void {
  const files = among.get(format)
  if (files) files.push(file)
  else among.set(format, [file])
}

// A folder of papers with a few notes or mails among them is no export, unless a program keeps its settings there.
function areMost(possible: Map<Format, SourceFile[]>, others: SourceFile[]): boolean {
  if (others.some(isSetting)) return true
  const count = [...possible.values()].reduce((sum, files) => sum + files.length, 0)
  return count > others.filter(({ path }) => !MEDIA.has(endingOf(path))).length
}

function formatOf(bytes: Uint8Array, path: string): { format?: Format; match?: boolean | 'in folder' } {
  const head = new TextDecoder(byteOrderMark(bytes) ?? 'utf-8').decode(bytes)
  for (const format of formats) {
    const match = format.matches(head, path)
    if (match) return { format, match }
  }
  return {}
}
