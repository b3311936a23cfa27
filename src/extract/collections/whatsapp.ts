// WhatsApp's "Export chat": a text file for each chat, alone or in a zip archive with its pictures.

import type { Item } from '../../ports/collections.ts'
import { type Context, type Format, NOTICES } from './format.ts'
import { linesOf } from './lines.ts'
import type { SourceFile } from './source.ts'
import { createThread, type Message } from './threads.ts'
import { createOrderFinder, type Head, headOf, type Order, timeOf, withoutMarks } from './whatsapp-lines.ts'
import { isProgramLine, saidIn } from './whatsapp-words.ts'

const NAMED = 12 // lines that are looked at to see whether they are a chat's

export const whatsapp: Format = {
  name: 'WhatsApp',
  matches(head) {
    if (!/^[[\s\ufeff\u200e]*\d/.test(head)) return false
    const lines = head.split('\n', NAMED * 4)
    const heads = lines.map(headOf).filter((found) => found !== null)
    const named = heads.filter(({ rest }) => speakerIn(rest) !== null)
    // The first line is one, and so are many of the others: a message may have several lines.
    return headOf(lines[0] ?? '') !== null && named.length >= 1 && heads.length >= Math.min(2, lines.length / 4)
  },
  async *read(files, context) {
    for (const file of files) yield* readChat(file, files.length === 1, context)
  },
}

async function* readChat(file: SourceFile, isOnly: boolean, context: Context): AsyncGenerator<Item> {
  const { order, speakers } = await lookThrough(file)
  const name = chatName(file.path) ?? (isOnly ? chatName(context.fileName ?? '') : null) ?? speakers.join(', ')
  const thread = createThread({
    source: 'WhatsApp',
    name: `whatsapp/${name.toLowerCase()}`,
    title: `WhatsApp: ${name}`,
  })
  for await (const message of messagesIn(file, order, context)) yield* thread.add(message)
  yield* thread.close()
}

const SPEAKERS = 5

async function lookThrough(file: SourceFile): Promise<{ order: Order; speakers: string[] }> {
  const finder = createOrderFinder()
  const speakers = new Set<string>()
  for await (const { head } of stampedLines(file)) {
    if (!head) continue
    finder.see(head)
    const speaker = speakerIn(head.rest)
    if (speaker && !isProgramLine(speaker.words) && speakers.size < SPEAKERS) speakers.add(speaker.name)
  }
  return { order: finder.order(), speakers: [...speakers].sort() }
}

// What looks like a stamp of another shape was written by somebody.
async function* stampedLines(file: SourceFile): AsyncGenerator<{ line: string; head: Head | null }> {
  let shape: string | undefined
  for await (const line of linesOf(file)) {
    const head = headOf(line)
    shape ??= head?.shape
    yield { line, head: head?.shape === shape ? head : null }
  }
}

async function* messagesIn(file: SourceFile, order: Order, context: Context): AsyncGenerator<Message> {
  let message: Message | null = null
  const finished = (): Message | null => {
    const text = message && saidIn(message.text, context)
    return message && text ? { ...message, text } : null
  }
  for await (const { line, head } of stampedLines(file)) {
    const time = head && timeOf(head, order)
    if (!head || !time) {
      if (message) message.text += `\n${line}`
      continue
    }
    const done = finished()
    if (done) yield done
    const speaker = speakerIn(head.rest)
    if (!speaker) context.leaveOut(NOTICES)
    message = speaker && { speaker: speaker.name, time, text: speaker.words }
  }
  const last = finished()
  if (last) yield last
}

function speakerIn(rest: string): { name: string; words: string } | null {
  const found = /^([^:\n]{1,60}):(?:\s|$)/.exec(rest)
  // Ana changed the group name to "Trip: Rome"
  if (!found || /["“”„«»]/.test(found[1]!)) return null
  return { name: withoutMarks(found[1]!).replace(/^~\s?/, '').trim(), words: rest.slice(found[0].length) }
}

// "WhatsApp Chat with Ana.txt", "WhatsApp Chat - Family.zip", "Chat de WhatsApp con Ana.txt"
function chatName(path: string): string | null {
  const base = path
    .split('/')
    .at(-1)!
    .replace(/\.(txt|zip)$/i, '')
    .replace(/ ?\(\d{1,3}\)$/, '')
  const found = /whatsapp[\s-]{0,3}chat (?:with|mit|-|com|con|avec|met|med)\s?(.{1,100})$/i.exec(base)
  return found?.[1]?.trim() ?? /whatsapp (?:mit|con|com|avec) (.{1,100})$/i.exec(base)?.[1]?.trim() ?? null
}
