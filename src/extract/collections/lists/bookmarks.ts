// Bookmarks: the HTML file that every browser exports ("Netscape bookmark file"), a document for each address.

import type { Item } from '../../../ports/collections.ts'
import { limits } from '../../limits.ts'
import { type Context, type Format, itemOf, shortName } from '../format.ts'
import { timeOf } from '../json.ts'
import { linesOf } from '../lines.ts'
import type { SourceFile } from '../source.ts'
import { dayWords } from './when.ts'

export const bookmarks: Format = {
  name: 'Bookmarks',
  matches: (head) => /^\ufeff?\s{0,99}<!DOCTYPE NETSCAPE-Bookmark-file-1>/i.test(head),
  async *read(files, context) {
    for (const file of files) yield* readBookmarks(file, context)
  },
}

const ADDRESS_CHARACTERS = 2_000
const NOTE_CHARACTERS = 10_000

type Bookmark = { url: string; title: string; folder: string; time: Date | null; tags: string[]; note: string }

async function* readBookmarks(file: SourceFile, context: Context): AsyncGenerator<Item> {
  const known = new Set<string>()
  for await (const bookmark of bookmarksIn(file)) {
    const name = shortName(bookmark.url)
    if (!/^https?:\/\//i.test(bookmark.url) || bookmark.url.length > ADDRESS_CHARACTERS)
      context.leaveOut('bookmarks of no web page')
    else if (known.has(name)) context.leaveOut('bookmarks that are in it twice')
    else {
      known.add(name)
      yield toItem(bookmark, name)
    }
  }
}

function toItem({ url, title, folder, time, tags, note }: Bookmark, name: string): Item {
  const called = title || url
  const saved = time ? `, saved on ${dayWords(time, { weekday: false })}` : ''
  return itemOf({
    name: `bookmarks/${name}`,
    title: called,
    text: [`Bookmark “${called}”${folder ? ` in the folder ${folder}` : ''}${saved}: ${url}`, note]
      .filter(Boolean)
      .join('\n'),
    time,
    tags: [...(folder ? [folder] : []), ...tags],
    url,
    source: 'Bookmarks',
    counts: { bookmarks: 1 },
  })
}

// <DL> opens the folder that the <H3> before it names, <A> is a bookmark, and the text behind a <DD> is about it.
async function* bookmarksIn(file: SourceFile): AsyncGenerator<Bookmark> {
  const folders: string[] = []
  let [heading, last]: [string, Bookmark | null] = ['', null]
  for await (const { tag, attributes, text } of tagsIn(file)) {
    if (tag === 'h3') heading = /personal_toolbar_folder|unfiled_bookmarks_folder/i.test(attributes) ? '' : text
    else if (tag === 'dl') {
      if (folders.length < limits.collectionDepth) folders.push(heading)
      heading = ''
    } else if (tag === '/dl') folders.pop()
    else if (tag === 'dd' && last) last.note = text.slice(0, NOTE_CHARACTERS)
    if (tag === 'dd' || (tag !== 'a' && tag !== 'dt')) continue
    if (last) yield last
    last = tag === 'a' ? toBookmark(attributes, text, folders) : null
  }
  if (last) yield last
}

const toBookmark = (attributes: string, title: string, folders: string[]): Bookmark => ({
  url: attributeIn(attributes, 'href'),
  title,
  folder: folders.filter(Boolean).join(' / '),
  time: timeIn(attributeIn(attributes, 'add_date')),
  tags: attributeIn(attributes, 'tags')
    .split(',', 64)
    .map((tag) => tag.trim())
    .filter(Boolean),
  note: '',
})

// Seconds; some programs write thousandths or millionths of them.
function timeIn(value: string): Date | null {
  if (!/^\d{9,17}$/.test(value)) return null
  const number = Number(value)
  return timeOf(number > 1e15 ? number / 1e6 : number > 1e12 ? number / 1e3 : number)
}

// Each tag with the text up to the next one, line by line: a browser writes no tag over two lines.
async function* tagsIn(file: SourceFile): AsyncGenerator<{ tag: string; attributes: string; text: string }> {
  for await (const line of linesOf(file)) {
    for (const part of line.split('<').slice(1)) {
      const end = part.indexOf('>')
      if (end < 0) continue
      const space = part.search(/[\s>]/)
      const tag = part.slice(0, space).toLowerCase()
      yield { tag, attributes: part.slice(space, end), text: decodeEntities(part.slice(end + 1)).trim() }
    }
  }
}

// Its value as it is written: NAME="…".
function attributeIn(attributes: string, name: string): string {
  const at = attributes.toLowerCase().indexOf(` ${name}="`)
  if (at < 0) return ''
  const start = at + name.length + 3
  const end = attributes.indexOf('"', start)
  return decodeEntities(attributes.slice(start, end < 0 ? undefined : end)).trim()
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", nbsp: ' ' }
const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|apos|nbsp);/g, (_, name: string) => ENTITIES[name]!)
