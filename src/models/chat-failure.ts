// Why a chat model gave no answer, and what that means for the next message.
import { AISDKError, APICallError } from '@ai-sdk/provider'
import { AppError } from '../domain/errors.ts'
import { Unanswered } from './chat-stream.ts'
import { limits } from './limits.ts'

// failed, timed out: it was asked. resting: it failed before and is not asked now. busy: too many wait for it.
export type FailureKind = 'failed' | 'timed out' | 'resting' | 'busy'

export class ChatFailure extends AppError {
  readonly kind: FailureKind
  readonly isOfMessage: boolean // another message may well be answered
  readonly pauseMs: number // that the server wants to be left alone for

  constructor(
    sentence: string,
    about: { kind: FailureKind; isOfMessage?: boolean; pauseMs?: number | undefined; cause?: unknown },
  ) {
    super('model_failed', sentence, { cause: withoutWords(about.cause) })
    this.kind = about.kind
    this.isOfMessage = about.isOfMessage ?? false
    this.pauseMs = about.pauseMs ?? 0
  }
}

export const noAnswer = (name: string, why: string): string => `The chat model ${name} gave no answer: ${why}.`

// The request itself is refused: without what is not needed it may pass.
export const isRefusal = (error: unknown): boolean =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422)

// A prompt that is too long, or a filter: nothing is wrong with the model.
export const isOfMessage = (error: unknown): boolean =>
  isRefusal(error) ||
  (APICallError.isInstance(error) && error.statusCode === 413) ||
  (error instanceof Unanswered && error.isOfMessage)

// Undefined for what will not pass: a wrong key, a model that is not there.
export function pauseBefore(error: unknown, attempt: number): number | undefined {
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

// Their errors carry the whole prompt, or the answer, and a log must hold nobody's words.
const withoutWords = (error: unknown): unknown => (AISDKError.isInstance(error) ? new Error(error.name) : error)

export function said(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const about = short(error.message)
    return error.statusCode === undefined ? about : `it answered ${error.statusCode} (${about})`
  }
  if (error instanceof Unanswered) return error.message
  if (AISDKError.isInstance(error)) return 'what it answered is no answer'
  // An error amid a stream is whatever the server put there.
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? short(message) : 'it answered with an error'
}

const short = (message: string): string => message.slice(0, 200).replace(/\.$/, '')
