// Writes recordings down by any service that speaks the OpenAI transcription interface.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import type { Recording, Transcriber, Transcript } from '../ports/models.ts'
import { outgoingHeaders } from '../telemetry/scope.ts'
import type { EndpointSettings } from './embedder-endpoint.ts'
import { limits } from './limits.ts'

export function createTranscriber(settings: EndpointSettings): Transcriber {
  const host = new URL(settings.url).host
  return {
    async transcribe(recording, { signal }) {
      const timeout = AbortSignal.timeout(limits.transcriptionTimeoutMs)
      const until = signal ? AbortSignal.any([signal, timeout]) : timeout
      try {
        return await askWithRetries(settings, recording, until)
      } catch (error) {
        if (error instanceof AppError || signal?.aborted) throw error
        if (timeout.aborted) throw new AppError('unreadable', tooLong(host), { cause: error })
        throw new AppError('unreachable', `The transcription endpoint ${host} does not answer.`, { cause: error })
      }
    },
  }
}

const tooLong = (host: string): string =>
  `The transcription endpoint ${host} took more than ${limits.transcriptionTimeoutMs / 60_000} minutes for it.`

// With times; a model that cannot tell them is asked for the text alone.
async function askWithRetries(settings: EndpointSettings, recording: Recording, signal: AbortSignal) {
  let format: Format = 'verbose_json'
  for (let attempt = 1; ; attempt++) {
    const answer = await post(settings, recording, format, signal)
    const text = await textOf(answer)
    if (answer.ok) return transcriptIn(text)
    const isFormat = answer.status === 400 && format === 'verbose_json' && /response_format|verbose_json/.test(text)
    if (isFormat) format = 'json'
    else if (answer.status !== 429 && answer.status < 500) throw refusal(answer.status, text)
    if (attempt >= limits.transcriptionAttempts)
      throw new AppError('unreachable', `The transcription endpoint answers ${answer.status}: ${text.slice(0, 200)}`)
    if (!isFormat) await wait(limits.transcriptionBackoffMs * 2 ** (attempt - 1), undefined, { signal })
  }
}

type Format = 'verbose_json' | 'json'

function post({ url, model, key }: EndpointSettings, recording: Recording, format: Format, signal: AbortSignal) {
  const body = new FormData()
  body.set(
    'file',
    new Blob([recording.bytes as Uint8Array<ArrayBuffer>], { type: recording.mediaType }),
    recording.name,
  )
  body.set('model', model)
  body.set('response_format', format)
  if (format === 'verbose_json') body.set('timestamp_granularities[]', 'segment')
  return fetch(`${url.replace(/\/+$/, '')}/audio/transcriptions`, {
    method: 'POST',
    headers: { ...outgoingHeaders(), ...(key && { authorization: `Bearer ${key}` }) },
    body,
    signal,
  })
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > limits.transcriptBytes)
      throw new AppError('unreadable', 'The transcription endpoint answered more text than a document may have.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function refusal(status: number, text: string): AppError {
  if (status === 401 || status === 403)
    return new AppError('unreadable', 'The transcription endpoint refuses MEMOIR_TRANSCRIPTION_KEY: correct it.')
  if (status === 413)
    return new AppError('unreadable', 'The recording is larger than the transcription endpoint takes: cut it in parts.')
  return new AppError('unreadable', `The transcription endpoint answers ${status}: ${text.slice(0, 200)}`)
}

const seconds = z.number().nonnegative().catch(0)
const Answer = z.object({
  text: z.string().catch(''),
  segments: z
    .array(z.object({ start: seconds, end: seconds, text: z.string(), speaker: z.string().nullish().catch(null) }))
    .catch([]),
})

function transcriptIn(text: string): Transcript {
  const { segments, text: whole } = Answer.parse(jsonOf(text))
  const said = segments.map(({ start, end, text, speaker }) => ({
    offsetMs: Math.round(start * 1_000),
    endMs: Math.round(end * 1_000),
    speaker: speaker || null,
    text: text.trim(),
  }))
  if (said.some(({ text }) => text)) return { said: said.filter(({ text }) => text), isTimed: true }
  if (!whole.trim()) throw new AppError('unreadable', 'Nothing is said in the recording.')
  return { said: [{ offsetMs: 0, endMs: 0, speaker: null, text: whole.trim() }], isTimed: false }
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new AppError('unreadable', 'The transcription endpoint answers something else: check its address.')
}
