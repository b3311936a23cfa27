// One request to the service, in the name of this tab. The tab's half of the session lives in sessionStorage: it survives
// a reload and ends with the tab. The other half is a cookie no script can read; the key itself is kept nowhere.
const TAB = 'memoir-tab'
const TAB_HEADER = 'x-memoir-tab'

export class Refused extends Error {
  readonly status: number
  readonly replyId: string | null
  constructor(status: number, sentence: string, replyId: string | null = null) {
    super(sentence)
    this.status = status
    this.replyId = replyId
  }
}

export type Call = {
  method?: string
  path: string
  query?: Record<string, unknown>
  body?: unknown
  file?: File // instead of a body
  signal?: AbortSignal
}

const listeners = new Set<() => void>()

export const session = {
  isOpen: (): boolean => sessionStorage.getItem(TAB) !== null,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  async open(key: string): Promise<void> {
    const { tab } = (await (await send({ method: 'POST', path: '/console/session', body: { key } })).json()) as {
      tab: string
    }
    sessionStorage.setItem(TAB, tab)
    for (const listener of listeners) listener()
  },
  async close(): Promise<void> {
    await send({ method: 'DELETE', path: '/console/session' }).catch(() => undefined)
    ended()
  },
}

function ended(): void {
  sessionStorage.removeItem(TAB)
  for (const listener of listeners) listener()
}

export const tabHeaders = (): Record<string, string> => {
  const tab = sessionStorage.getItem(TAB)
  return tab ? { [TAB_HEADER]: tab } : {}
}

export function addressOf(path: string, query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? path : `${path}?${search}`
}

export async function send({ method = 'GET', path, query, body, file, signal }: Call): Promise<Response> {
  let response: Response
  try {
    response = await fetch(addressOf(path, query), {
      method,
      headers: {
        ...tabHeaders(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(file && { 'content-type': 'application/zip' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new Refused(0, 'Memoir does not answer. Is it running?')
  }
  if (response.ok) return response
  throw await refusalOf(response)
}

async function refusalOf(response: Response): Promise<Refused> {
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string }
  if (response.status === 401 && session.isOpen()) ended()
  return refusal(response.status, detail, response.headers.get('x-memoir-reply-id'))
}

export const refusal = (status: number, detail?: string, replyId: string | null = null): Refused =>
  new Refused(status, detail ?? `The service answered ${status}.`, replyId)
