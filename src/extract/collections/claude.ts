// Claude's data export: conversations.json, a list of conversations with their messages in order.

import type { Item } from '../../ports/collections.ts'
import { isRefusal, REFUSALS } from './assistants.ts'
import { type Context, EMPTY, type Format, MEDIA } from './format.ts'
import { fieldsOf, jsonValues, listOf, textOf, timeOf } from './json.ts'
import type { SourceFile } from './source.ts'
import { createThread } from './threads.ts'

export const claude: Format = {
  name: 'Claude',
  matches: (head) => /^\s*\[\s*\{/.test(head) && head.includes('"chat_messages"') && head.includes('"uuid"'),
  async *read(files, context) {
    for (const file of files) yield* readConversations(file, context)
  },
}

async function* readConversations(file: SourceFile, context: Context): AsyncGenerator<Item> {
  for await (const { value } of jsonValues(file, [['*']])) {
    const conversation = fieldsOf(value)
    const id = textOf(conversation.uuid)
    const begun = timeOf(conversation.created_at)
    const messages = listOf(conversation.chat_messages).map(fieldsOf)
    if (!id || !begun || messages.length === 0) {
      context.leaveOut(EMPTY)
      continue
    }
    const title = textOf(conversation.name).trim() || 'Conversation'
    const thread = createThread({ source: 'Claude', name: `claude/${id}`, title: `Claude: ${title}`, isWhole: true })
    for (const message of messages) {
      const files = listOf(message.files).length
      if (files > 0) context.leaveOut(MEDIA, files)
      const isOwn = textOf(message.sender) === 'human'
      const text = [wordsOf(message), ...attachedTo(message)].filter(Boolean).join('\n\n')
      if (!isOwn && isRefusal(text)) {
        context.leaveOut(REFUSALS)
        continue
      }
      const speaker = isOwn ? context.ownName : 'Claude'
      yield* thread.add({ speaker, time: timeOf(message.created_at) ?? begun, text })
    }
    yield* thread.close()
  }
}

// The parts that are text; those of tools and thoughts are not what was said.
function wordsOf(message: Record<string, unknown>): string {
  const parts = listOf(message.content)
    .map(fieldsOf)
    .filter((part) => part.type === 'text')
    .map((part) => textOf(part.text))
  return parts.join('\n').trim() || textOf(message.text)
}

const attachedTo = (message: Record<string, unknown>): string[] =>
  listOf(message.attachments)
    .map(fieldsOf)
    .map(({ file_name, extracted_content }) => {
      const text = textOf(extracted_content).trim()
      return text ? `Attachment ${textOf(file_name)}:\n${text}` : ''
    })
