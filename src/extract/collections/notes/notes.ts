// A folder of notes, a file for each: Markdown (Obsidian, Notion and others), and the text and HTML that exports of
// Apple's Notes are made of.

import { parseHTML } from 'linkedom'
import type { Item } from '../../../ports/collections.ts'
import { createComposer } from '../../composer.ts'
import { decodeText } from '../../encoding.ts'
import { limits } from '../../limits.ts'
import { type Node, writeMarkup } from '../../page/markup.ts'
import { type Context, EMPTY, type Format, itemOf, MEDIA, wholeBytes } from '../format.ts'
import { timeOf } from '../json.ts'
import type { SourceFile } from '../source.ts'
import { readMatter } from './front-matter.ts'
import { readMarkdown } from './markdown.ts'

export const notes: Format = {
  name: 'Notes',
  matches(head, path) {
    if (head.includes('\0') || /(^|\/)\.obsidian\//.test(path)) return false
    const isNote = /\.(?:md|markdown|txt)$/i.test(path) || (/\.html?$/i.test(path) && isHtmlNote(head))
    return isNote && 'in folder'
  },
  async *read(files, context) {
    const name = context.fileName ?? 'notes'
    const root = /\.zip$/i.test(name) ? rootOf(files) : ''
    const folder = root.slice(0, -1) || name.replace(/\.zip$/i, '').replace(AGAIN, '')
    for (const file of files) yield* readNote(file, { root, folder }, context)
  },
}

// Notes of Apple's are lines, each a div of its own; a page of a site has more about it.
const isHtmlNote = (head: string): boolean =>
  /<div>\s{0,9}<(?:h1|h2|b|br|span|font)\b/i.test(head) && !/<(?:script|link|nav|iframe|form)\b/i.test(head)

type Where = { root: string; folder: string }

async function* readNote(file: SourceFile, { root, folder }: Where, context: Context): AsyncGenerator<Item> {
  const path = file.path.slice(root.length)
  const folders = path.split('/').slice(0, -1).map(withoutId)
  const stem = stemOf(path)
  if (folders.some((one) => /^(?:recently deleted|zuletzt gelöscht|\.?trash)$/i.test(one)))
    return context.leaveOut('notes in the trash')
  const bytes = await wholeBytes(file, limits.collectionNoteBytes)
  if (bytes.length >= limits.collectionNoteBytes) return context.leaveOut('notes that are too long')
  const { title, time, tags, aliases, body } = readMatter(textOf(bytes, path))
  const { text, tags: named, pictures } = readMarkdown(body.replaceAll('\r\n', '\n'))
  if (pictures > 0) context.leaveOut(MEDIA, pictures)
  if (!text) return context.leaveOut(EMPTY)
  const called = title || stem
  const other = aliases.filter((alias) => alias.toLowerCase() !== called.toLowerCase())
  // Apple's own export has a folder for each note, under its name.
  const place = (folders.at(-1) === stem ? folders.slice(0, -1) : folders).join('/')
  yield itemOf({
    name: `notes/${folder.toLowerCase()}/${path}`.slice(0, NAME_CHARACTERS),
    title: called,
    text: [
      beginsWith(text, called) ? '' : `# ${called}`,
      other.length > 0 ? `Also called ${other.join(', ')}.` : '',
      text.slice(0, limits.collectionItemCharacters),
    ]
      .filter(Boolean)
      .join('\n\n'),
    time: time ?? dayIn(stem),
    tags: [...(place ? [place] : []), ...tags, ...named],
    source: 'Notes',
    counts: { notes: 1 },
  })
}

const NAME_CHARACTERS = 1_000

// The folder that all of them lie in, as a zip archive of a folder has it.
function rootOf(files: SourceFile[]): string {
  const first = files[0]!.path
  const root = first.slice(0, first.indexOf('/') + 1)
  return files.every(({ path }) => path.startsWith(root)) ? root : ''
}

const AGAIN = / ?\(\d{1,3}\)$/ // "Notes (1).zip" is "Notes.zip", fetched again

const stemOf = (path: string): string =>
  withoutId(path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|markdown|txt|html?)$/i, ''))

// "Boiler 0f1e2d3c4b5a69788796a5b4c3d2e1f0", as Notion names a page and the folder of its pages.
const withoutId = (name: string): string => name.replace(/ [0-9a-f]{32}$/, '')

// A daily note: "2024-05-03", with words behind it or without.
const dayIn = (stem: string): Date | null => timeOf(/^\d{4}-\d\d-\d\d(?!\d)/.exec(stem)?.[0])

function beginsWith(text: string, title: string): boolean {
  const line = text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'))
  return line.startsWith('# ') || line.trim().toLowerCase() === title.toLowerCase()
}

function textOf(bytes: Buffer, path: string): string {
  const text = decodeText(bytes)
  if (!/\.html?$/i.test(path)) return text
  const { document } = parseHTML(/<html[\s>]/i.test(text) ? text : `<html><body>${text}</body></html>`)
  const composer = createComposer()
  writeMarkup(composer, (document.body ?? document.documentElement) as unknown as Node)
  return composer.finish('html').text
}
