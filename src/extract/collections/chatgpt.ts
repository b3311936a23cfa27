// ChatGPT's data export: conversations.json, a list of conversations, each a tree of messages whose last branch counts.

import type { Item } from '../../ports/collections.ts'
import { limits } from '../limits.ts'
import { isRefusal, REFUSALS } from './assistants.ts'
import { type Context, EMPTY, type Format, MEDIA } from './format.ts'
import { fieldsOf, jsonValues, listOf, textOf, timeOf } from './json.ts'
import type { SourceFile } from './source.ts'
import { createThread } from './threads.ts'

export const chatgpt: Format = {
  name: 'ChatGPT',
  matches: (head) => /^\s*\[\s*\{/.test(head) && head.includes('"mapping"') && head.includes('"create_time"'),
  async *read(files, context) {
    for (const file of files) yield* readConversations(file, context)
  },
}

async function* readConversations(file: SourceFile, context: Context): AsyncGenerator<Item> {
  for await (const { value } of jsonValues(file, [['*']])) {
    const conversation = fieldsOf(value)
    const begun = timeOf(conversation.create_time) ?? timeOf(conversation.update_time)
    const id = textOf(conversation.conversation_id) || textOf(conversation.id) || begun?.toISOString()
    if (!id || !begun) {
      context.leaveOut('conversations without a name and a time')
      continue
    }
    const title = textOf(conversation.title).trim() || 'Conversation'
    const thread = createThread({ source: 'ChatGPT', name: `chatgpt/${id}`, title: `ChatGPT: ${title}`, isWhole: true })
    let time = begun
    let messages = 0
    for (const message of branchOf(conversation)) {
      const said = wordsOf(message, context)
      if (said === null) continue
      time = timeOf(message.create_time) ?? time
      messages++
      const isOwn = roleOf(message) === 'user'
      if (!isOwn && isRefusal(said)) {
        context.leaveOut(REFUSALS)
        continue
      }
      const speaker = isOwn ? context.ownName : 'ChatGPT'
      yield* thread.add({ speaker, time, text: said })
    }
    if (messages === 0) context.leaveOut(EMPTY)
    yield* thread.close()
  }
}

const roleOf = (message: Record<string, unknown>): string => textOf(fieldsOf(message.author).role)

// From the last message back to the first: answers that were asked for anew are other branches.
function branchOf(conversation: Record<string, unknown>): Record<string, unknown>[] {
  const mapping = fieldsOf(conversation.mapping)
  const messages: Record<string, unknown>[] = []
  const seen = new Set<string>()
  let at = textOf(conversation.current_node) || (Object.keys(mapping).at(-1) ?? '')
  while (at && !seen.has(at) && seen.size < limits.collectionThings) {
    seen.add(at)
    const node = fieldsOf(mapping[at])
    if (node.message) messages.push(fieldsOf(node.message))
    at = textOf(node.parent)
  }
  return messages.reverse()
}

// What the two said to each other; tools, instructions and drafts of thoughts are not it.
function wordsOf(message: Record<string, unknown>, context: Context): string | null {
  const role = roleOf(message)
  const content = fieldsOf(message.content)
  const type = textOf(content.content_type)
  const isHidden = fieldsOf(message.metadata).is_visually_hidden_from_conversation === true
  if ((role !== 'user' && role !== 'assistant') || isHidden) return null
  if (type !== 'text' && type !== 'multimodal_text') {
    if (type === 'code' || type === 'execution_output') context.leaveOut('calls of tools')
    return null
  }
  const parts = listOf(content.parts)
  const pictures = parts.filter((part) => typeof part === 'object' && part !== null).length
  if (pictures > 0) context.leaveOut(MEDIA, pictures)
  const text = parts.filter((part) => typeof part === 'string').join('\n')
  return text.trim() === '' ? null : text
}
