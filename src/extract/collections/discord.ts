// Discord, as DiscordChatExporter writes it as JSON: a file for each channel.

import type { Item } from '../../ports/collections.ts'
import { type Context, type Format, MEDIA, NOTICES } from './format.ts'
import { fieldsOf, jsonValues, listOf, textOf, timeOf } from './json.ts'
import type { SourceFile } from './source.ts'
import { createThread } from './threads.ts'

export const discord: Format = {
  name: 'Discord',
  matches: (head) => /^\s*\{/.test(head) && head.includes('"guild"') && head.includes('"channel"'),
  async *read(files, context) {
    for (const file of files) yield* readChannel(file, context)
  },
}

const SAID = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand', 'ThreadStarterMessage', '0', '19'])

// The guild and the channel come before the messages.
async function* readChannel(file: SourceFile, context: Context): AsyncGenerator<Item> {
  let [guild, channel]: Record<string, unknown>[] = [{}, {}]
  let thread: ReturnType<typeof createThread> | null = null
  for await (const { path, value } of jsonValues(file, [['guild'], ['channel'], ['messages', '*']])) {
    if (path[0] === 'guild') guild = fieldsOf(value)
    else if (path[0] === 'channel') channel = fieldsOf(value)
    else {
      thread ??= createThread(threadOf(guild!, channel!))
      yield* readMessage(thread, fieldsOf(value), context)
    }
  }
  if (thread) yield* thread.close()
}

function threadOf(guild: Record<string, unknown>, channel: Record<string, unknown>) {
  const isDirect = textOf(channel.type).startsWith('Direct') || textOf(guild.id) === '0'
  const title = isDirect ? textOf(channel.name) : `${textOf(guild.name)} #${textOf(channel.name)}`
  const id = textOf(channel.id) || title.toLowerCase()
  return { source: 'Discord', name: `discord/${id}`, title: `Discord: ${title || 'Direct messages'}` }
}

function readMessage(
  thread: ReturnType<typeof createThread>,
  message: Record<string, unknown>,
  context: Context,
): Item[] {
  if (!SAID.has(String(message.type ?? 'Default'))) {
    context.leaveOut(NOTICES)
    return []
  }
  const files = listOf(message.attachments).length + listOf(message.stickers).length
  if (files > 0) context.leaveOut(MEDIA, files)
  const time = timeOf(message.timestamp)
  const author = fieldsOf(message.author)
  if (!time) return []
  return thread.add({
    id: textOf(message.id),
    answers: textOf(fieldsOf(message.reference).messageId) || undefined,
    speaker: textOf(author.nickname) || textOf(author.name) || 'Somebody',
    time,
    text: [textOf(message.content), ...listOf(message.embeds).map(embedText)].filter(Boolean).join('\n'),
  })
}

const embedText = (embed: unknown): string => {
  const { title, description } = fieldsOf(embed)
  return [textOf(title), textOf(description)].filter(Boolean).join(': ')
}
