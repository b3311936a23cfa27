// A multipart form: one file and its fields, in any order.
import type { FastifyRequest } from 'fastify'
import { AppError } from '../domain/errors.ts'
import { parseJson } from './json.ts'
import { limits } from './limits.ts'
import { type Spooled, spool } from './spool.ts'

export type Form = {
  fields: Record<string, unknown>
  file: { name: string | null; mediaType: string | null } & Spooled
}

export async function readForm(request: FastifyRequest, tempFolder: string, fileBytes: number): Promise<Form> {
  let file: Form['file'] | undefined
  let messageRequest: Record<string, unknown> | undefined
  const parts: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      const isRequest = part.fieldname.toLowerCase() === 'message_request'
      if (part.type === 'field') {
        if (part.valueTruncated) throw tooLarge(part.fieldname)
        if (isRequest) messageRequest = fieldsOf(part.value)
        else parts[part.fieldname] = part.value
      } else if (isRequest) {
        // Some programs send the JSON as a part with a file name of its own.
        messageRequest = fieldsOf(await shortText(part.fieldname, part.file))
      } else {
        if (file) throw new AppError('invalid', 'The form holds more than one file.')
        file = {
          name: plainName(part.filename),
          mediaType: part.mimetype ?? null,
          ...(await spool(part.file, tempFolder, fileBytes)),
        }
        if (part.file.truncated) throw new AppError('too_large', `The file is larger than ${fileBytes} bytes.`)
      }
    }
    if (!file) throw new AppError('invalid', 'The form holds no file: send it as the part "file", with a file name.')
    return { fields: messageRequest ?? parts, file }
  } catch (error) {
    await file?.discard()
    throw isOfParser(error) ? new AppError('invalid', 'The form is malformed.', { cause: error }) : error
  }
}

// The parser throws plain errors; the system's have a code, and bugs a type.
const isOfParser = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !('code' in error)

async function shortText(name: string, chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limits.formFieldBytes) throw tooLarge(name)
    all.push(chunk)
  }
  return Buffer.concat(all).toString()
}

const tooLarge = (field: string): AppError =>
  new AppError('too_large', `${field} is larger than ${limits.formFieldBytes} bytes.`)

function fieldsOf(value: unknown): Record<string, unknown> {
  const parsed = typeof value === 'string' ? jsonOf(value) : value
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new AppError('invalid', 'message_request must be a JSON object.')
  }
  return parsed as Record<string, unknown>
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    throw new AppError('invalid', 'message_request is not valid JSON.')
  }
}

// Only ever shown: no file of this name is written. Folders in it are somebody else's.
function plainName(name: string | undefined): string | null {
  const last = (name ?? '')
    .split(/[\\/]/)
    .at(-1)!
    .replaceAll(/[\0-\x1f\x7f]/g, '')
    .trim()
  return last === '' ? null : last.slice(0, 255)
}
