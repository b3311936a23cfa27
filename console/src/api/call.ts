// One request to the service, in the name of who is signed in: half of the session is kept by the page (tab.ts), the
// other half is a cookie no script can read; key and password are kept nowhere.
import { words } from '../words/words.ts'
import { TAB, tab } from './tab.ts'

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
  isOpen: (): boolean => tab() !== null,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  // With a key, with a mail address and a password, or by a one-time link.
  async open(given: Given, path = '/console/session'): Promise<void> {
    const { tab: half } = (await (await send({ method: 'POST', path, body: given })).json()) as { tab: string }
    keep(half, given.stay === true)
  },
  async close(): Promise<void> {
    await send({ method: 'DELETE', path: '/console/session' }).catch(() => undefined)
    ended()
  },
}

export type Given = Record<string, unknown> & { stay?: boolean }

export function keep(half: string, stays: boolean): void {
  if (stays) sessionStorage.removeItem(TAB)
  ;(stays ? localStorage : sessionStorage).setItem(TAB, half)
  for (const listener of listeners) listener()
}

function ended(): void {
  // The tab's own session stands before the one that stays.
  ;(sessionStorage.getItem(TAB) === null ? localStorage : sessionStorage).removeItem(TAB)
  for (const listener of listeners) listener()
}

export const tabHeaders = (): Record<string, string> => {
  const half = tab()
  return half ? { [TAB_HEADER]: half } : {}
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
    throw new Refused(0, words.memoirDoesNotAnswer)
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
  new Refused(status, detail ?? words.theServiceAnswered(status), replyId)
