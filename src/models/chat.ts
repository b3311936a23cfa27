// A chat model behind any of the wires: one bound of time, what may pass asked again, one kind of failure.
import { setTimeout as wait } from 'node:timers/promises'
import { AISDKError, APICallError, type LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ChatSettings } from '../domain/chat-model.ts'
import { AppError } from '../domain/errors.ts'
import { limits as shared } from '../domain/limits.ts'
import type { ChatModel, ChatPrompt, Written } from '../ports/models.ts'
import { addressOf, loadModel, logprobOptions } from './chat-providers.ts'
import { readStream, Unanswered } from './chat-stream.ts'
import { limits } from './limits.ts'

export type ChatBounds = { timeoutMs: number; contextTokens: number | undefined }

export function createChatModel(settings: ChatSettings, { timeoutMs, contextTokens }: ChatBounds): ChatModel {
  const room = contextTokens ?? usualTokens(settings)
  const answerTokens = Math.min(limits.chatAnswerTokens, Math.floor(room / 4))
  const name = `${settings.name}@${new URL(addressOf(settings)).host}`
  // Some models refuse what others need to be told: those are asked without it.
  let extras = true

  const writeOnce = async (
    prompt: ChatPrompt,
    signal: AbortSignal,
    onText: (delta: string) => void,
    withExtras: boolean,
  ): Promise<Written> => {
    const model = await loadModel(settings)
    const { stream } = await model.doStream({
      prompt: inTheirShape(prompt),
      maxOutputTokens: answerTokens,
      abortSignal: signal,
      includeRawChunks: true,
      ...(withExtras && { temperature: 0, providerOptions: logprobOptions(settings) }),
    })
    return readStream(stream, onText)
  }

  return {
    name,
    promptTokens: room - answerTokens,
    async write(prompt, { signal: left, onText } = {}) {
      const deadline = Date.now() + timeoutMs
      const inTime = AbortSignal.timeout(timeoutMs)
      const signal = left ? AbortSignal.any([left, inTime]) : inTime
      let isBegun = false
      let withExtras = extras // others may find out meanwhile that these are refused
      const give = (delta: string) => {
        isBegun = onText !== undefined
        onText?.(delta)
      }
      for (let attempt = 1; ; attempt++) {
        try {
          return await writeOnce(prompt, signal, give, withExtras)
        } catch (error) {
          if (left?.aborted) throw new AppError('cancelled', 'The caller left.', { cause: error })
          if (inTime.aborted) throw failed(name, `it took longer than ${timeoutMs / 1000} s`, error)
          if (isBegun) throw failed(name, `it broke off: ${said(error)}`, error)
          if (isRefusal(error)) {
            extras = !withExtras // refused without them, too: it was not them
            if (withExtras) {
              withExtras = false
              continue
            }
          }
          const pauseMs = pauseBefore(error, attempt)
          if (pauseMs === undefined || attempt >= limits.chatAttempts) throw failed(name, said(error), error)
          if (Date.now() + pauseMs >= deadline)
            throw failed(
              name,
              `${said(error)}, and it wants to be left alone for ${Math.ceil(pauseMs / 1000)} s`,
              error,
            )
          // Who leaves during the pause is noticed by the next attempt.
          await wait(pauseMs, undefined, { signal }).catch(() => {})
        }
      }
    },
  }
}

const usualTokens = ({ provider }: ChatSettings): number =>
  provider === 'openai-compatible' ? shared.chatContextTokens : shared.chatVendorContextTokens

const inTheirShape = ({ system, turns }: ChatPrompt): LanguageModelV4Prompt => [
  { role: 'system', content: system },
  ...turns.map(({ role, text }) => ({
    role: role === 'ai' ? ('assistant' as const) : ('user' as const),
    content: [{ type: 'text' as const, text }],
  })),
]

const isRefusal = (error: unknown): boolean =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422)

// Undefined for what will not pass: a wrong key, a model that is not there.
function pauseBefore(error: unknown, attempt: number): number | undefined {
  if (error instanceof Unanswered && !error.mayPass) return undefined
  const backoffMs = limits.chatBackoffMs * 2 ** (attempt - 1)
  if (!APICallError.isInstance(error) || error.statusCode === undefined || error.statusCode === 200) return backoffMs
  if (!error.isRetryable) return undefined
  return retryAfterMs(error.responseHeaders?.['retry-after']) ?? backoffMs
}

// Seconds, or a date.
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const failed = (name: string, why: string, cause: unknown): AppError =>
  new AppError('model_failed', `The chat model ${name} gave no answer: ${why}.`, { cause: withoutWords(cause) })

// Their errors carry the whole prompt, or the answer, and a log must hold nobody's words.
const withoutWords = (error: unknown): unknown => (AISDKError.isInstance(error) ? new Error(error.name) : error)

function said(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const about = short(error.message)
    return error.statusCode === undefined ? about : `it answered ${error.statusCode} (${about})`
  }
  if (AISDKError.isInstance(error)) return 'what it answered is no answer'
  // An error amid a stream is whatever the server put there.
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? short(message) : 'it answered with an error'
}

const short = (message: string): string => message.slice(0, 200).replace(/\.$/, '')
