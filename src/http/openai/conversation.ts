// What a request in OpenAI's shape asks: its last user message, with the talk before it. System messages are Context.
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { validate } from '../../app/validate.ts'
import * as field from '../../contract/fields.ts'
import { limits as contract, type Sizes } from '../../contract/limits.ts'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

export type Asked = {
  model: string // a persona
  text: string
  context: string | undefined
  // As the program tells it; undefined where it leaves the talk to us.
  before: { role: 'user' | 'ai'; text: string }[] | undefined
  sessionId: string
  isStreamed: boolean
  includesUsage: boolean
}

const Part = z.object({ type: z.string({ error: 'is missing' }), text: z.string().optional() })
const content = z
  .union([z.string(), z.array(Part)], { error: 'must be a string, or an array of parts that each have a type' })
  .nullish()

type Content = z.output<typeof content>
type Message = { role?: string | undefined; content?: Content }

const isStreamed = z.boolean({ error: 'must be true or false' }).optional()
const model = field.text(contract.nameCharacters).min(1, 'is empty')
const user = z.string().optional().catch(undefined)
const tooMany = `holds more than ${limits.chatMessages} messages`

const ChatRequest = z.object({
  model,
  messages: z
    .array(z.object({ role: z.string({ error: 'is missing' }), content }), { error: 'must be an array of messages' })
    .max(limits.chatMessages, tooMany),
  n: z.literal(1, { error: 'must be 1: a persona has one reply' }).optional(),
  stream: isStreamed,
  stream_options: z.object({ include_usage: z.boolean().optional() }).optional().catch(undefined),
  user,
})

const ResponseRequest = z.object({
  model,
  input: z.union(
    [z.string(), z.array(z.object({ role: z.string().optional(), content })).max(limits.chatMessages, tooMany)],
    { error: 'must be a string, or an array of messages' },
  ),
  instructions: z.string({ error: 'must be a string' }).optional(),
  previous_response_id: field.text(1_000).optional(),
  store: z.boolean().optional().catch(undefined),
  stream: isStreamed,
  user,
})

export function readChat(body: unknown, keyId: string, { textCharacters }: Sizes): Asked {
  const { model, messages, stream = false, stream_options, user } = validate(ChatRequest, body, textCharacters)
  const talk = talkIn(messages, [])
  return {
    ...talk,
    model,
    sessionId: sessionOf([keyId, model, user, talk.context, talk.opening]),
    isStreamed: stream,
    includesUsage: stream_options?.include_usage === true,
  }
}

export function readResponse(body: unknown, keyId: string, { textCharacters }: Sizes): Asked {
  const given = validate(ResponseRequest, body, textCharacters)
  const { model, instructions, previous_response_id, stream = false, user } = given
  const messages: Message[] = typeof given.input === 'string' ? [{ role: 'user', content: given.input }] : given.input
  const talk = talkIn(messages, instructions ? [instructions] : [])
  const session = [keyId, model, user, talk.context, talk.opening]
  const shared = { ...talk, model, isStreamed: stream, includesUsage: false }
  // A program that goes on from a response sends only what is new.
  if (previous_response_id !== undefined)
    return { ...shared, before: undefined, sessionId: sessionIn(previous_response_id) }
  // One that may go on from this one gets a session of its own, for then the talk is read from there.
  const isOpening = talk.before.length === 0 && given.store !== false
  return { ...shared, sessionId: isOpening ? `openai-${randomUUID()}` : sessionOf(session) }
}

function talkIn(messages: Message[], instructions: string[]) {
  const turns: { role: 'user' | 'ai'; text: string }[] = []
  const contexts = [...instructions]
  for (const { role, content } of messages) {
    const text = textOf(content)
    if (text === '') continue
    if (role === 'system' || role === 'developer') contexts.push(text)
    else if (role === 'user') turns.push({ role: 'user', text })
    else if (role === 'assistant') turns.push({ role: 'ai', text })
  }
  const last = turns.findLastIndex(({ role }) => role === 'user')
  if (last < 0) throw new AppError('invalid', 'There is no message of the role user with a text.')
  return {
    text: turns[last]!.text,
    before: turns.slice(0, last),
    opening: turns.find(({ role }) => role === 'user')!.text,
    context: contexts.join('\n\n') || undefined,
  }
}

const TEXTS = ['text', 'input_text', 'output_text', 'refusal']

function textOf(content: Content): string {
  if (typeof content === 'string') return content
  const other = content?.find(({ type }) => !TEXTS.includes(type))
  if (other) throw new AppError('invalid', `Only text is read here, no ${other.type.slice(0, 40)}.`)
  return (content ?? []).map(({ text = '' }) => text).join('\n')
}

// The same for every request of one talk, so that the history has it once and together. Two talks that open alike share
// it; nothing is understood from it, for the talk before a message is then in the request.
const sessionOf = (parts: (string | undefined)[]): string =>
  `openai-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`

// The id of a response holds its session, so that any process can go on from it.
export const responseId = (sessionId: string, replyId: string): string =>
  `resp_${Buffer.from(sessionId).toString('base64url')}.${replyId}`

function sessionIn(id: string): string {
  const encoded = /^resp_([\w-]{1,400})\.[\w-]+$/.exec(id)?.[1]
  const sessionId = Buffer.from(encoded ?? '', 'base64url').toString()
  if (sessionId === '') throw new AppError('invalid', 'previous_response_id is no id of a response from here.')
  return sessionId
}
