// The service of another machine: the same nine operations and owner's commands, over HTTP.
import { AppError, type ErrorCode } from '../domain/errors.ts'
import { type Admin, adminOperations } from './admin-api.ts'
import type { Operation } from './operation.ts'
import * as api from './public-api.ts'
import type { Service } from './service.ts'

export type Remote = { url: string; key: string; requestId?: string }

export function createClient(remote: Remote): Service {
  const call = (operation: Operation, body: object, query: Record<string, unknown> = {}) =>
    send(remote, operation, operation.path, query, body)
  return {
    message: (request, query) => call(api.message, request, query),
    instruction: (query, request) => call(api.instruction, request, query),
    uploadUrl: (request) => call(api.uploadUrl, request),
    uploadText: (request) => call(api.uploadText, request),
    async uploadFile(request, file, domainName) {
      const bytes: Uint8Array[] = []
      for await (const piece of file.pieces()) bytes.push(piece)
      const form = new FormData()
      form.set('message_request', JSON.stringify(request))
      form.set(
        'file',
        new Blob(bytes as Uint8Array<ArrayBuffer>[], { type: file.mediaType ?? 'application/octet-stream' }),
        file.name ?? 'file',
      )
      return send(remote, api.uploadFile, api.uploadFile.path, { DomainName: domainName }, form)
    },
    memory: (request) => call(api.memory, request),
    conversation: (request) => call(api.conversation, request),
    documents: (size, request) => call(api.documents, request, { size }),
    updateDocument: (feedId, request) => call(api.updateDocument, request, { feed_id: feedId }),
  }
}

export function createAdminClient(remote: Remote): Admin {
  const commands = Object.entries(adminOperations as Record<string, Operation>).map(([name, operation]) => [
    name,
    (fields: Record<string, unknown> = {}) => {
      const rest = { ...fields }
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
        const value = encodeURIComponent(String(rest[parameter]))
        delete rest[parameter]
        return value
      })
      return operation.body ? send(remote, operation, path, {}, rest) : send(remote, operation, path, rest)
    },
  ])
  return Object.fromEntries(commands)
}

async function send(
  remote: Remote,
  operation: Operation,
  path: string,
  query: Record<string, unknown>,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: the operation's own answer, as its contract describes it
): Promise<any> {
  const url = new URL(path, remote.url.endsWith('/') ? remote.url : `${remote.url}/`)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const isForm = body instanceof FormData
  let response: Response
  try {
    response = await fetch(url, {
      method: operation.method,
      headers: {
        'x-api-key': remote.key,
        ...(remote.requestId && { 'x-request-id': remote.requestId }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
  } catch (cause) {
    throw new AppError('unavailable', `No Memoir answers at ${remote.url}. Is it running, and is MEMOIR_URL right?`, {
      cause,
    })
  }
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new AppError(
    codes[response.status] ?? 'unavailable',
    (answer as { detail?: string }).detail ?? `The service answered ${response.status}.`,
  )
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
}
