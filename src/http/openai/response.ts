// A reply as a response, whole or as the events of its making.
import { restOf } from '../stream.ts'
import { type Answered, tokensOf } from './answer.ts'
import { type Asked, responseId } from './conversation.ts'
import type { EventStream } from './events.ts'

type Part = { type: 'output_text'; text: string; annotations: []; logprobs: [] } | { type: 'refusal'; refusal: string }

const textPart = (text: string): Part => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const itemOf = (id: string, status: 'in_progress' | 'completed', content: Part[]) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  status,
  content,
})

type Made = { id: string; createdAt: number; answered?: Answered }

function responseOf(asked: Asked, { id, createdAt, answered }: Made) {
  const said = answered?.refusal ?? answered?.text ?? ''
  const { asked: input_tokens, said: output_tokens } = tokensOf(asked, said)
  const part: Part = answered?.refusal ? { type: 'refusal', refusal: said } : textPart(said)
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  }
  return {
    id: responseId(asked.sessionId, id),
    object: 'response',
    created_at: createdAt,
    status: answered ? 'completed' : 'in_progress',
    model: asked.model,
    output: answered ? [itemOf(id, 'completed', [part])] : [],
    error: null,
    incomplete_details: null,
    instructions: asked.context ?? null,
    metadata: {},
    parallel_tool_calls: false,
    tool_choice: 'none',
    tools: [],
    temperature: null,
    top_p: null,
    usage: answered ? usage : null,
    ...(answered && { memoir: answered.memoir }),
  }
}

const nowS = (): number => Math.floor(Date.now() / 1000)

export const response = (asked: Asked, answered: Answered) =>
  responseOf(asked, { id: answered.id, createdAt: nowS(), answered })

export async function streamResponse(
  stream: EventStream,
  asked: Asked,
  answer: (onText: (delta: string) => void) => Promise<Answered>,
  id: string,
): Promise<void> {
  const made: Made = { id, createdAt: nowS() }
  const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 }
  let number = 0
  const send = (type: string, more: object) => stream.send({ type, sequence_number: number++, ...more }, type)
  const begin = (part: Part) => {
    send('response.created', { response: responseOf(asked, made) })
    send('response.in_progress', { response: responseOf(asked, made) })
    send('response.output_item.added', { output_index: 0, item: itemOf(id, 'in_progress', []) })
    send('response.content_part.added', { ...place, part })
  }
  let sent = ''
  const write = (delta: string) => {
    if (number === 0) begin(textPart(''))
    sent += delta
    send('response.output_text.delta', { ...place, delta, logprobs: [] })
  }
  const answered = await answer(write)
  const { refusal, text } = answered
  let part = textPart(text)
  if (refusal === null) {
    const rest = restOf(text, sent)
    if (rest !== '' || number === 0) write(rest)
    part = textPart(sent)
    send('response.output_text.done', { ...place, text: sent, logprobs: [] })
  } else {
    begin({ type: 'refusal', refusal: '' })
    part = { type: 'refusal', refusal }
    send('response.refusal.delta', { ...place, delta: refusal })
    send('response.refusal.done', { ...place, refusal })
  }
  send('response.content_part.done', { ...place, part })
  send('response.output_item.done', { output_index: 0, item: itemOf(id, 'completed', [part]) })
  const whole = refusal === null ? { ...answered, text: sent } : answered
  send('response.completed', { response: responseOf(asked, { ...made, answered: whole }) })
  stream.end()
}
