// The one deliberate error: a code the doors translate, and a sentence a caller can act on.

const errorCodes = [
  'invalid', // the request is wrong; the sentence names the field
  'unauthenticated', // no admin key was given
  'unauthorized', // this key may not do this, or the persona is not its own: never says which
  'not_found',
  'conflict',
  'name_reused', // an Idempotency-Key that is another message's
  'too_large',
  'unsupported_type',
  'rate_limited',
  'unreachable', // a URL that cannot be fetched, or must not be
  'unreadable', // fetched or uploaded, but there is no text to be had from it
  'withheld', // the reply scored below the persona's threshold
  'storage_full', // the disk has no room
  'unavailable', // cannot be done now, or not with these settings
  'model_failed', // a chat model gave no answer; the sentence is for the log, and the reply is made without it
  'cancelled', // the caller left before the answer
] as const
export type ErrorCode = (typeof errorCodes)[number]

export const isErrorCode = (code: string | null): code is ErrorCode =>
  (errorCodes as readonly (string | null)[]).includes(code)

export class AppError extends Error {
  readonly code: ErrorCode
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, sentence: string, options: { retryAfterS?: number; cause?: unknown } = {}) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retryAfterS = options.retryAfterS
  }
}
