// Google Keep, as Google Takeout gives it: a JSON file for each note, beside pictures and the same notes as HTML.

import type { Item } from '../../../ports/collections.ts'
import { limits } from '../../limits.ts'
import { type Context, EMPTY, type Format, itemOf, MEDIA, wholeText } from '../format.ts'
import { fieldsOf, listOf, textOf, timeOf } from '../json.ts'
import { damaged, type SourceFile } from '../source.ts'

export const keep: Format = {
  name: 'Google Keep',
  matches: (head) =>
    /^\s*\{/.test(head) &&
    head.includes('"userEditedTimestampUsec"') &&
    ['"textContent"', '"listContent"', '"isTrashed"'].some((field) => head.includes(field)),
  async *read(files, context) {
    for (const file of files) yield* readNote(file, context)
  },
}

async function* readNote(file: SourceFile, context: Context): AsyncGenerator<Item> {
  const note = await fieldsIn(file)
  if (!note) return context.leaveOut('notes that are too long')
  if (note.isTrashed === true) return context.leaveOut('notes in the trash')
  if (note.isArchived === true) return context.leaveOut('archived notes')
  const attached = listOf(note.attachments).length
  if (attached > 0) context.leaveOut(MEDIA, attached)
  const title = textOf(note.title).trim()
  const body = [textOf(note.textContent).trim(), listText(note.listContent), linkText(note.annotations)]
  const text = body.filter(Boolean).join('\n\n')
  if (!text && !title) return context.leaveOut(EMPTY)
  const time = timeIn(note.createdTimestampUsec) ?? timeIn(note.userEditedTimestampUsec)
  const stem = file.path.split('/').at(-1)!
  yield itemOf({
    name: `keep/${time ? String(note.createdTimestampUsec ?? note.userEditedTimestampUsec) : stem}`,
    title: title || text.split('\n', 1)[0]!.slice(0, TITLE_CHARACTERS),
    text: [title && `# ${title}`, text].filter(Boolean).join('\n\n').slice(0, limits.collectionItemCharacters),
    time,
    tags: listOf(note.labels)
      .map((label) => textOf(fieldsOf(label).name))
      .filter(Boolean),
    source: 'Google Keep',
    counts: { notes: 1 },
  })
}

const TITLE_CHARACTERS = 80

async function fieldsIn(file: SourceFile): Promise<Record<string, unknown> | null> {
  const json = await wholeText(file, limits.collectionNoteBytes)
  if (json === null) return null
  try {
    return fieldsOf(JSON.parse(json))
  } catch {
    if (!file.isDamaged()) throw damaged(file.path)
    return {} // that it is damaged is told
  }
}

// Millionths of a second since 1970.
const timeIn = (value: unknown): Date | null => (Number(value) > 0 ? timeOf(Number(value) / 1_000_000) : null)

const listText = (list: unknown): string =>
  listOf(list)
    .map(fieldsOf)
    .filter((entry) => textOf(entry.text).trim())
    .map((entry) => `- ${textOf(entry.text).trim()}${entry.isChecked === true ? ' (done)' : ''}`)
    .join('\n')

const linkText = (links: unknown): string =>
  listOf(links)
    .map(fieldsOf)
    .filter((link) => textOf(link.url))
    .map((link) => [textOf(link.title), textOf(link.url)].filter(Boolean).join(': '))
    .join('\n')
