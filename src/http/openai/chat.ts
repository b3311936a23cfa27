// A reply as a chat completion, whole or in chunks.

import { restOf } from '../stream.ts'
import { type Answered, tokensOf } from './answer.ts'
import type { Asked } from './conversation.ts'
import type { EventStream } from './events.ts'

const nowS = (): number => Math.floor(Date.now() / 1000)

// What was withheld is told twice: programs look for `refusal`, people read the content.
export const completion = (asked: Asked, { id, text, refusal, memoir }: Answered) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion',
  created: nowS(),
  model: asked.model,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: refusal ?? text, refusal, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: usageOf(asked, refusal ?? text),
  memoir,
})

export async function streamCompletion(
  stream: EventStream,
  asked: Asked,
  answer: (onText: (delta: string) => void) => Promise<Answered>,
  requestId: string,
): Promise<void> {
  const shared = { id: `chatcmpl-${requestId}`, object: 'chat.completion.chunk', created: nowS(), model: asked.model }
  const chunk = (delta: object, finish_reason: 'stop' | null = null, more: object = {}) =>
    stream.send({ ...shared, choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...more })
  let sent = ''
  const part = (content: string) => {
    if (sent === '') chunk({ role: 'assistant', content: '', refusal: null })
    sent += content
    chunk({ content })
  }
  const answered = await answer(part)
  const { refusal, memoir } = answered
  const whole = refusal ?? answered.text
  const rest = restOf(whole, sent)
  if (rest !== '' || sent === '') part(rest)
  if (refusal !== null) chunk({ refusal })
  chunk({}, 'stop', { memoir })
  if (asked.includesUsage) stream.send({ ...shared, choices: [], usage: usageOf(asked, whole) })
  stream.end('data: [DONE]\n\n')
}

function usageOf(asked: Asked, text: string) {
  const { asked: prompt_tokens, said: completion_tokens } = tokensOf(asked, text)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
