// What a server answered: where it sends us on to, or the page itself.
import type { Dispatcher } from 'undici'
import { AppError } from '../domain/errors.ts'
import type { Content } from '../ports/extractor.ts'
import { readBody } from './fetch-body.ts'
import { limits } from './limits.ts'

export function redirectOf(response: Dispatcher.ResponseData, url: URL): string | null {
  const { location } = response.headers
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return null
  const next = URL.parse(String(location ?? ''), url.href)
  if (!location || !next) throw new AppError('unreachable', 'The address redirects to nowhere.')
  return next.href
}

export async function contentOf(
  response: Dispatcher.ResponseData,
  url: URL,
  bytes: number,
): Promise<Content & { url: string }> {
  const body = await readBody(response.body, String(response.headers['content-encoding'] ?? ''), bytes)
  const type = response.headers['content-type']
  return {
    bytes: body,
    name: decodeName(url.pathname.split('/').at(-1) ?? ''),
    mediaType: (Array.isArray(type) ? type[0] : type) ?? null,
    url: url.href,
  }
}

function decodeName(segment: string): string | null {
  try {
    return decodeURIComponent(segment).slice(0, limits.nameCharacters) || null
  } catch {
    return segment.slice(0, limits.nameCharacters) || null
  }
}
