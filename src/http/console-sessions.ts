// Who is signed in to the console. A session has two halves and needs both: a cookie that no script can read, and a
// word that one tab keeps and sends in a header. Another site's page has the first but not the second (so it cannot
// act in the owner's name), a stolen word lacks the first, and neither half is the admin key.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import { tabHeader } from '../contract/console-api.ts'
import type { Key } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'

type Session = { key: Key; cookie: Buffer; tab: Buffer; usedAt: number }

export type ConsoleSessions = {
  // Sets the cookie and returns the tab's half.
  open(key: Key, reply: FastifyReply): string
  // The admin key the session was opened with; undefined where the request comes from no console at all.
  keyOf(request: FastifyRequest): Promise<Key | undefined>
  close(request: FastifyRequest, reply: FastifyReply): boolean
}

export function createConsoleSessions(app: Pick<App, 'identifyAgain'>, isSecure: boolean): ConsoleSessions {
  const sessions = new Map<string, Session>()
  // The id is part of the cookie's name: tabs, and services on other ports of this host, keep out of each other's way.
  const cookieName = (id: string) => `${isSecure ? '__Host-' : ''}memoir_${id}`
  const cookie = (id: string, value: string) =>
    `${cookieName(id)}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${value === '' ? '; Max-Age=0' : ''}`

  const find = (request: FastifyRequest): [string, Session] | undefined => {
    const [id = '', word = ''] = String(request.headers[tabHeader] ?? '').split('.')
    const session = sessions.get(id)
    if (!session || !same(session.tab, word)) return undefined
    return same(session.cookie, cookieOf(request, cookieName(id))) ? [id, session] : undefined
  }

  return {
    open(key, reply) {
      forgetOld(sessions)
      const [id, value, word] = [secret(9), secret(32), secret(32)]
      sessions.set(id, { key, cookie: digest(value), tab: digest(word), usedAt: Date.now() })
      reply.header('set-cookie', cookie(id, value))
      return `${id}.${word}`
    },

    async keyOf(request) {
      if (request.headers[tabHeader] === undefined) return undefined
      const [id, session] = find(request) ?? []
      // Replaced since? Then whoever signed in with it is out as well.
      const key = session && isFresh(session) ? await app.identifyAgain(session.key) : undefined
      if (!session || !key?.admin) {
        if (id) sessions.delete(id)
        throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
      }
      session.usedAt = Date.now()
      return key
    },

    close(request, reply) {
      const [id] = find(request) ?? []
      if (!id) return false
      sessions.delete(id)
      reply.header('set-cookie', cookie(id, ''))
      return true
    },
  }
}

const secret = (bytes: number): string => randomBytes(bytes).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const same = (kept: Buffer, given: string): boolean => timingSafeEqual(kept, digest(given))
const isFresh = ({ usedAt }: Session): boolean => Date.now() - usedAt < limits.consoleIdleMs

function cookieOf(request: FastifyRequest, name: string): string {
  const pairs = (request.headers.cookie ?? '').split('; ')
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

function forgetOld(sessions: Map<string, Session>): void {
  for (const [id, session] of sessions) if (!isFresh(session)) sessions.delete(id)
  const oldest = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt)[0]
  if (oldest && sessions.size >= limits.consoleSessions) sessions.delete(oldest[0])
}
