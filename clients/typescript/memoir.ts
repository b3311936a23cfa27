// A client for Memoir without dependencies: Node, Deno, Bun and browsers have all it needs.
import { type File, type Operation, Operations, type Options } from './operations.ts'

export type * from './operations.ts'
export type { File, Options } from './operations.ts'

export type Settings = {
  url: string // of the service, such as https://memoir.example
  key: string
  domainName?: string // for calls that name no DomainName
  fetch?: typeof fetch
}

// A call that was refused, or that nobody answered: then `status` is 0.
export class MemoirError extends Error {
  override name = 'MemoirError'
  readonly status: number
  readonly detail: string // one sentence to act on
  readonly code: string | undefined // tells errors with the same status apart, such as `withheld` and `unavailable`
  readonly retryAfterS: number | undefined

  constructor(status: number, detail: string, code?: string, retryAfterS?: number, options?: ErrorOptions) {
    super(detail, options)
    this.status = status
    this.detail = detail
    this.code = code
    this.retryAfterS = retryAfterS
  }
}

export class Memoir extends Operations {
  readonly #settings: Settings

  constructor(settings: Settings) {
    super()
    this.#settings = settings
  }

  protected override async call<T>(operation: Operation, fields: object, options?: Options): Promise<T> {
    return (await this.#send(operation, fields, options)).json() as Promise<T>
  }

  protected override async *stream<T>(operation: Operation, fields: object, options?: Options): AsyncGenerator<T> {
    const response = await this.#send(operation, fields, options)
    for await (const event of eventsOf(response)) {
      // What goes wrong after the first part is the last event.
      if (typeof event.detail === 'string') throw new MemoirError(500, event.detail)
      yield event as T
    }
  }

  async #send(operation: Operation, fields: object, options: Options = {}): Promise<Response> {
    const { url, key, domainName } = this.#settings
    const persona = operation.query.includes('domain_name') ? 'domain_name' : 'DomainName'
    const { file, ...given } = { ...(domainName && { [persona]: domainName }), ...fields } as Given
    const { query, body } = parted(operation, given)
    const target = new URL(`${url.replace(/\/+$/, '')}${operation.path}`)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value))
    const headers = new Headers({ 'x-api-key': key })
    if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey)
    if (!file && operation.method !== 'GET') headers.set('content-type', 'application/json')
    const request: RequestInit = { method: operation.method, headers, credentials: 'omit' }
    if (options.signal) request.signal = options.signal
    if (operation.method !== 'GET') request.body = file ? formOf(file, body) : JSON.stringify(body)
    const response = await (this.#settings.fetch ?? fetch)(target, request).catch((cause: unknown) => {
      if (options.signal?.aborted) throw cause
      throw new MemoirError(0, `No Memoir answers at ${url}.`, undefined, undefined, { cause })
    })
    options.onHeaders?.(response.headers)
    if (!response.ok) throw await refusalOf(response)
    return response
  }
}

type Given = Record<string, unknown> & { file?: File }

function parted({ query: names, method }: Operation, given: Record<string, unknown>) {
  const all = Object.entries(given).filter(([, value]) => value !== undefined)
  const isQuery = (name: string): boolean => names.includes(name)
  return {
    query: Object.fromEntries(all.filter(([name]) => isQuery(name))),
    body: method === 'GET' ? {} : Object.fromEntries(all.filter(([name]) => !isQuery(name))),
  }
}

function formOf({ bytes, name }: File, body: object): FormData {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>])
  const form = new FormData()
  form.set('message_request', JSON.stringify(body))
  form.set('file', blob, name ?? (blob as { name?: string }).name ?? 'file')
  return form
}

async function refusalOf(response: Response): Promise<MemoirError> {
  const { headers, status } = response
  const answer = (await response.json().catch(() => ({}))) as { detail?: unknown }
  const detail = typeof answer.detail === 'string' ? answer.detail : `The service answered ${status}.`
  const retryAfter = headers.get('retry-after')
  return new MemoirError(
    status,
    detail,
    headers.get('x-memoir-error') ?? undefined,
    retryAfter ? +retryAfter : undefined,
  )
}

// The end is an event, too: without it the connection broke off.
async function* eventsOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new MemoirError(0, 'The reply broke off.')
      buffer += decoder.decode(value, { stream: true })
      const events = buffer.split('\n\n')
      buffer = events.pop()!
      for (const event of events) {
        if (event === 'data: [DONE]') return
        if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length))
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
