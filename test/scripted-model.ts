// A chat model server that says what a test wrote down for it, in the form of the provider it plays.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { PROBE } from '../src/models/chat.ts'

export type Script = {
  deltas?: string[]
  logprobs?: number[] // one a delta
  pauseMs?: number // before each delta
  waitMs?: number // before the answer begins
  end?: 'stop' | 'length' | 'filter' | 'cut' | 'error' | 'hang' | 'unfinished' // after the deltas
  status?: number // not a stream at all, then
  headers?: Record<string, string>
  body?: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every provider
export type Seen = { path: string; headers: IncomingHttpHeaders; body: any; at: number; left: boolean }

type Form = { delta(text: string, logprob: number | undefined): string; end(reason: string): string; error: string }

const line = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`

const chunk = (delta: object, reason: string | null, more: object = {}) =>
  line({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: reason, ...more }],
  })

const used = line({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [],
  usage: { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 },
})

export const forms: Record<'openai' | 'anthropic' | 'google', Form> = {
  openai: {
    delta: (content, logprob) =>
      chunk(
        { role: 'assistant', content },
        null,
        logprob === undefined ? {} : { logprobs: { content: [{ token: content, logprob, top_logprobs: [] }] } },
      ),
    end: (reason) => `${chunk({}, reason === 'filter' ? 'content_filter' : reason)}${used}data: [DONE]\n\n`,
    error: line({ error: { message: 'the card caught fire', type: 'server_error', param: null, code: null } }),
  },
  anthropic: {
    delta: (text) =>
      `event: content_block_delta\n${line({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}`,
    end: (reason) =>
      [
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: {
            stop_reason: reason === 'length' ? 'max_tokens' : reason === 'filter' ? 'refusal' : 'end_turn',
            stop_sequence: null,
          },
          usage: { output_tokens: 5 },
        },
        { type: 'message_stop' },
      ]
        .map((event) => `event: ${event.type}\n${line(event)}`)
        .join(''),
    error: `event: error\n${line({ type: 'error', error: { type: 'overloaded_error', message: 'the card caught fire' } })}`,
  },
  google: {
    delta: (text) => line({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }),
    end: (reason) =>
      line({
        candidates: [
          {
            content: { role: 'model', parts: [{ text: '' }] },
            finishReason: reason === 'length' ? 'MAX_TOKENS' : reason === 'filter' ? 'SAFETY' : 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
      }),
    error: line({ error: { code: 503, message: 'the card caught fire', status: 'UNAVAILABLE' } }),
  },
}

const begin = `event: message_start\n${line({
  type: 'message_start',
  message: {
    id: 'msg',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 1 },
  },
})}event: content_block_start\n${line({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })}`

// The scripts are played one a request; the last of them again and again. A probe meets the script that is next, and is
// seen among `probes` only.
export async function scriptedModel(kind: keyof typeof forms = 'openai') {
  let scripts: Script[] = []
  const seen: Seen[] = []
  const probes: Seen[] = []
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const piece of request) body += piece
    const one: Seen = {
      path: request.url!,
      headers: request.headers,
      body: JSON.parse(body),
      at: Date.now(),
      left: false,
    }
    const isProbe = body.includes(PROBE.turns[0]!.text)
    ;(isProbe ? probes : seen).push(one)
    answer.on('close', () => {
      one.left = !answer.writableFinished
    })
    const script = scripts.length > 1 && !isProbe ? scripts.shift()! : scripts[0]!
    await play(answer, script, kind).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    probes,
    say(...next: Script[]) {
      scripts = next
      seen.length = 0
      probes.length = 0
    },
  }
}

async function play(answer: ServerResponse, script: Script, kind: keyof typeof forms): Promise<void> {
  const form = forms[kind]
  const { deltas = [], logprobs = [], end = 'stop' } = script
  if (script.waitMs) await wait(script.waitMs)
  if (script.status !== undefined || script.body !== undefined) {
    answer.writeHead(script.status ?? 200, { 'content-type': 'application/json', ...script.headers })
    answer.end(script.body ?? '')
    return
  }
  answer.writeHead(200, { 'content-type': 'text/event-stream', ...script.headers })
  answer.flushHeaders()
  if (kind === 'anthropic') answer.write(begin)
  for (const [at, text] of deltas.entries()) {
    if (script.pauseMs) await wait(script.pauseMs)
    answer.write(form.delta(text, logprobs[at]))
  }
  if (end === 'hang') return
  if (end === 'cut') {
    await wait(20)
    answer.destroy()
  } else if (end === 'unfinished') answer.end()
  else answer.end(end === 'error' ? form.error : form.end(end))
}
