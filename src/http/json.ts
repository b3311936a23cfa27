// Bodies as JSON: strict UTF-8, strict syntax, bounded in shape, and strings that any store can keep.
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  checkShape(body)
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

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [...'"\\,{}[]'].map((sign) => sign.charCodeAt(0))

// One pass over the bytes before anything is built from them: what is parsed has few values and is not deep.
function checkShape(body: Buffer): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) {
      at = stringEnd(body, at)
      if (at < 0) return // not JSON: the parser says so
    } else if (byte === CLOSE || byte === CLOSE_LIST) depth--
    else if (byte === COMMA || byte === OPEN || byte === OPEN_LIST) {
      if (byte !== COMMA) depth++
      values++
      if (depth > limits.jsonDepth)
        throw new AppError('invalid', `The body is nested deeper than ${limits.jsonDepth} levels.`)
      if (values > limits.jsonValues)
        throw new AppError('invalid', `The body holds more than ${limits.jsonValues} values.`)
    }
  }
}

function stringEnd(body: Buffer, start: number): number {
  for (let end = body.indexOf(QUOTE!, start + 1); end >= 0; end = body.indexOf(QUOTE!, end + 1)) {
    let escapes = 0
    while (body[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}
