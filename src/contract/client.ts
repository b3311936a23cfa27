// The service of another machine: the same operations and owner's commands, over HTTP.
import { AppError, type ErrorCode, isErrorCode } from '../domain/errors.ts'
import { type Admin, adminOperations } from './admin-api.ts'
import { documentHeader, errorHeader, type Operation, ownerHeader } from './operation.ts'
import { publicOperations, type Service, type UploadedFile } from './public-api.ts'

export type Remote = {
  url: string
  key: string
  isOwner?: boolean // the key is an admin key, and speaks to personas as their owner
  requestId?: string | undefined
  onDocument?: ((documentId: string) => void) | undefined // told the id of each document that was kept for a request
}

export function createClient(remote: Remote): Service {
  const calls = Object.entries(publicOperations as Record<string, Operation>).map(([name, operation]) => [
    name,
    async (body: object, query: Record<string, unknown> = {}, file?: UploadedFile) => {
      const sent = operation.multipart && file ? await formOf(body, file) : operation.body && body
      return send(remote, operation, operation.path, query, sent)
    },
  ])
  return Object.fromEntries(calls)
}

async function formOf(fields: object, file: UploadedFile): Promise<FormData> {
  const bytes: Uint8Array[] = []
  for await (const piece of file.pieces()) bytes.push(piece)
  const blob = new Blob(bytes as Uint8Array<ArrayBuffer>[], { type: file.mediaType ?? 'application/octet-stream' })
  const form = new FormData()
  form.set('message_request', JSON.stringify(fields))
  form.set('file', blob, file.name ?? 'file')
  return form
}

export function createAdminClient(remote: Remote): Admin {
  const commands = Object.entries(adminOperations as Record<string, Operation>).map(([name, operation]) => [
    name,
    (fields: Record<string, unknown> = {}) => {
      const { path, rest } = fill(operation, fields)
      return operation.body ? send(remote, operation, path, {}, rest) : send(remote, operation, path, rest)
    },
  ])
  return Object.fromEntries(commands)
}

// The path with its parameters, and the fields that are left.
function fill(operation: Operation, fields: Record<string, unknown>) {
  const rest = { ...fields }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = encodeURIComponent(String(rest[parameter]))
    delete rest[parameter]
    return value
  })
  return { path, rest }
}

async function send(
  remote: Remote,
  operation: Operation,
  path: string,
  query: Record<string, unknown>,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: the operation's own answer, as its contract describes it
): Promise<any> {
  const response = await ask(remote, operation, path, query, body)
  return response.json().catch(() => ({}))
}

// A file that the service makes while it is read.
export async function* download(remote: Remote, operation: Operation, body: object): AsyncGenerator<Uint8Array> {
  const { path, rest } = fill(operation, body as Record<string, unknown>)
  const { body: parts } = await ask(remote, operation, path, {}, rest)
  try {
    yield* parts as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw new AppError('unavailable', 'The service broke the file off in the middle.', { cause })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the operation's own answer, as its contract describes it
type AnyAnswer = any

export async function upload(
  remote: Remote,
  operation: Operation,
  query: object,
  file: AsyncIterable<Uint8Array>,
): Promise<AnyAnswer> {
  const { path, rest } = fill(operation, query as Record<string, unknown>)
  const response = await ask(remote, operation, path, rest, file)
  return response.json()
}

// The answer of a service that did what it was asked.
async function ask(
  remote: Remote,
  operation: Operation,
  path: string,
  query: Record<string, unknown>,
  body?: object,
): Promise<Response> {
  const url = addressOf(remote.url, path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const sent = bodyOf(operation, body)
  let response: Response
  try {
    response = await fetch(url, {
      method: operation.method,
      headers: {
        'x-api-key': remote.key,
        ...(remote.isOwner && { [ownerHeader]: 'yes' }),
        ...(remote.requestId && { 'x-request-id': remote.requestId }),
        ...(body && !(body instanceof FormData) && { 'content-type': operation.upload ?? 'application/json' }),
      },
      ...sent,
    })
  } catch (cause) {
    throw new AppError('unavailable', `No Memoir answers at ${remote.url}. Is it running, and is MEMOIR_URL right?`, {
      cause,
    })
  }
  if (response.ok) {
    const kept = response.headers.get(documentHeader)
    for (const id of kept?.split(', ') ?? []) remote.onDocument?.(id)
    return response
  }
  const answer = await response.json().catch(() => ({}))
  // Several codes share a status; a proxy in between answers without any.
  const code = response.headers.get(errorHeader)
  throw new AppError(
    isErrorCode(code) ? code : (codes[response.status] ?? 'unavailable'),
    (answer as { detail?: string }).detail ?? `The service answered ${response.status}.`,
  )
}

// A form and a file go as they are; a file is sent while it is read.
function bodyOf(operation: Operation, body: object | undefined): RequestInit {
  if (body === undefined) return {}
  if (body instanceof FormData) return { body }
  if (operation.upload) return { body: body as ReadableStream, duplex: 'half' } as RequestInit
  return { body: JSON.stringify(body) }
}

const codes: Record<number, ErrorCode> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'unauthorized',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_type',
  422: 'unreadable',
  429: 'rate_limited',
  507: 'storage_full',
}

function addressOf(service: string, path: string): URL {
  const base = service.endsWith('/') ? service : `${service}/`
  if (!/^https?:/i.test(service) || !URL.canParse(path, base))
    throw new AppError('invalid', `MEMOIR_URL must look like http://127.0.0.1:8787; it is “${service}”.`)
  return new URL(path, base)
}
