// The one table from error codes to statuses, and the one shape of every refusal.
import { AppError, type ErrorCode } from '../domain/errors.ts'

export const statuses: Record<ErrorCode, number> = {
  invalid: 400,
  unreachable: 400,
  unauthenticated: 401,
  unauthorized: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  unreadable: 422,
  name_reused: 422,
  rate_limited: 429,
  storage_full: 507,
  withheld: 503,
  unavailable: 503,
  model_failed: 503,
  cancelled: 499,
}

export const statusOf = (code: ErrorCode): number => statuses[code]

export const bugSentence = (requestId: string): string =>
  `Something went wrong inside Memoir. Its log has more under request ${requestId}.`

// Errors of the framework's own, in our words. Anything else unknown is a bug: undefined.
export function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code !== undefined && code in framework) return framework[code]!()
  if (statusCode === 400) return new AppError('invalid', 'The request is malformed.')
  return undefined
}

const framework: Record<string, () => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_type', 'Content-Type must be application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('too_large', 'The body is too large.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError('invalid', 'The body must be a JSON object.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('invalid', 'The body does not have the length that Content-Length says.'),
  FST_REQ_FILE_TOO_LARGE: () => new AppError('too_large', 'The file is too large.'),
  FST_FILES_LIMIT: () => new AppError('invalid', 'The form holds more than one file.'),
  FST_PARTS_LIMIT: () => new AppError('invalid', 'The form holds too many parts.'),
  FST_FIELDS_LIMIT: () => new AppError('invalid', 'The form holds too many fields.'),
  FST_PROTO_VIOLATION: () => new AppError('invalid', 'The form holds a field whose name is not allowed.'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () =>
    new AppError('unsupported_type', 'Content-Type must be multipart/form-data.'),
}
