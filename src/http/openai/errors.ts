// Refusals in OpenAI's shape.
import type { ErrorCode } from '../../domain/errors.ts'

type Told = { code: ErrorCode | 'bug'; sentence: string }

export const openAiError = ({ code, sentence }: Told) => ({
  error: { message: sentence, param: null, ...(named[code] ?? { type: typeOf(code), code }) },
})

// Their programs know these by name.
const named: Partial<Record<ErrorCode | 'bug', { type: string; code: string }>> = {
  unauthenticated: { type: 'invalid_request_error', code: 'invalid_api_key' },
  unauthorized: { type: 'permission_error', code: 'permission_denied' },
  rate_limited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
}

const OURS: (ErrorCode | 'bug')[] = ['bug', 'unavailable', 'storage_full', 'model_failed', 'cancelled']

const typeOf = (code: ErrorCode | 'bug'): string => (OURS.includes(code) ? 'server_error' : 'invalid_request_error')
