// Telegram Desktop's export as JSON: result.json, of one chat or of all of them.

import type { Item } from '../../ports/collections.ts'
import { type Context, type Format, MEDIA, NOTICES } from './format.ts'
import { fieldsOf, jsonValues, listOf, textOf, timeOf } from './json.ts'
import type { SourceFile } from './source.ts'
import { createThread } from './threads.ts'

const TYPES = [
  'personal_chat',
  'bot_chat',
  'saved_messages',
  'private_group',
  'private_supergroup',
  'private_channel',
  'public_supergroup',
  'public_channel',
]

export const telegram: Format = {
  name: 'Telegram',
  matches: (head) =>
    /^\s*\{/.test(head) &&
    ((head.includes('"from_id"') && head.includes('"date_unixtime"')) ||
      (head.includes('"messages"') && TYPES.some((type) => head.includes(`"type": "${type}"`))) ||
      (head.includes('"chats"') && head.includes('"personal_information"'))),
  async *read(files, context) {
    for (const file of files) yield* readChats(file, context)
  },
}

const CHAT = ['name', 'type', 'id'] as const
const WANTED = [
  ['messages', '*'],
  ['chats', 'list', '*', 'messages', '*'],
].concat(CHAT.flatMap((field) => [[field], ['chats', 'list', '*', field]]))

// A chat's name, type and id come before its messages.
async function* readChats(file: SourceFile, context: Context): AsyncGenerator<Item> {
  let about: Partial<Record<string, string>> = {}
  let chat = ''
  let thread: ReturnType<typeof createThread> | null = null
  for await (const { path, value } of jsonValues(file, WANTED)) {
    const isMessage = path.at(-2) === 'messages'
    const here = path.slice(0, isMessage ? -2 : -1).join('/')
    if (here !== chat) {
      if (thread) yield* thread.close()
      ;[thread, about, chat] = [null, {}, here]
    }
    if (!isMessage) about[path.at(-1)!] = String(value ?? '')
    else {
      thread ??= createThread(threadOf(about))
      yield* readMessage(thread, fieldsOf(value), context)
    }
  }
  if (thread) yield* thread.close()
}

function threadOf({ name, type, id }: Partial<Record<string, string>>) {
  const title = name || (type === 'saved_messages' ? 'Saved messages' : 'Deleted account')
  return { source: 'Telegram', name: `telegram/${id || title.toLowerCase()}`, title: `Telegram: ${title}` }
}

function readMessage(
  thread: ReturnType<typeof createThread>,
  message: Record<string, unknown>,
  context: Context,
): Item[] {
  if (message.type !== 'message') {
    context.leaveOut(NOTICES)
    return []
  }
  if (['photo', 'file', 'media_type'].some((field) => message[field] !== undefined)) context.leaveOut(MEDIA)
  // The plain date is that of a clock somewhere.
  const time = timeOf(message.date_unixtime) ?? timeOf(message.date && `${textOf(message.date)}Z`)
  const from = textOf(message.forwarded_from)
  const words = wordsOf(message.text)
  if (!time || !words.trim()) return []
  return thread.add({
    id: String(message.id ?? ''),
    answers: message.reply_to_message_id === undefined ? undefined : String(message.reply_to_message_id),
    speaker: textOf(message.from) || textOf(message.actor) || 'Deleted account',
    time,
    text: from ? `(from ${from}) ${words}` : words,
  })
}

const wordsOf = (text: unknown): string =>
  typeof text === 'string'
    ? text
    : listOf(text)
        .map((part) => (typeof part === 'string' ? part : textOf(fieldsOf(part).text)))
        .join('')
