// Bodies as JSON: strict UTF-8, strict syntax, and strings that any store can keep.
import { AppError } from '../domain/errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw new AppError('invalid', 'The body is not valid UTF-8.')
  }
  try {
    // Only an escape can bring in half a character or a NUL: without one the reviver is not needed.
    return text.includes('\\u')
      ? JSON.parse(text, (_name, value) => (typeof value === 'string' ? keepable(value) : value))
      : JSON.parse(text)
  } catch {
    throw new AppError('invalid', 'The body is not valid JSON.')
  }
}

// Unpaired surrogates and NUL cannot be kept as text by every engine; they become the replacement character.
const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
