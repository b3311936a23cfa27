// The two halves of a console session as they travel: a cookie that no script can read, and a header.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import type { Halves } from '../app/people/door.ts'
import { tabHeader } from '../contract/console-api.ts'
import type { Key } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import { deviceOf } from './device.ts'

export type ConsoleSessions = {
  // Sets the cookie and returns the half that the page keeps.
  open(key: Key, isKept: boolean, request: FastifyRequest, reply: FastifyReply): Promise<string>
  // The admin key, or who is signed in; undefined where the request comes from no console at all.
  keyOf(request: FastifyRequest): Promise<Key | undefined>
  close(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
  // A secret that the browser keeps for a while, and brings back once.
  lend(reply: FastifyReply, id: string, secret: string, keptMs: number): void
  takeBack(request: FastifyRequest, reply: FastifyReply, id: string): string
}

export function createConsoleSessions({ door }: Pick<App, 'door'>, isSecure: boolean): ConsoleSessions {
  // The id is part of the cookie's name: tabs, and services on other ports of this host, keep out of each other's way.
  const cookieName = (id: string) => `${isSecure ? '__Host-' : ''}memoir_${id}`
  const setCookie = (reply: FastifyReply, id: string, value: string, keptMs?: number) => {
    const age = value === '' ? '; Max-Age=0' : keptMs === undefined ? '' : `; Max-Age=${keptMs / 1000}`
    const secure = isSecure ? '; Secure' : ''
    reply.header('set-cookie', `${cookieName(id)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`)
  }

  const halvesOf = (request: FastifyRequest): Halves => {
    const [id = '', word = ''] = String(request.headers[tabHeader] ?? '').split('.')
    return { id, word, cookie: cookieOf(request, cookieName(id)) }
  }

  return {
    async open(key, isKept, request, reply) {
      const from = { address: request.ip, device: deviceOf(request.headers['user-agent']) }
      const { id, cookie, word, keptMs } = await door.open(key, from, isKept)
      setCookie(reply, id, cookie, isKept ? keptMs : undefined)
      return `${id}.${word}`
    },

    async keyOf(request) {
      if (request.headers[tabHeader] === undefined) return undefined
      const halves = halvesOf(request)
      const key = await door.whoIs(halves, request.ip)
      if (!key) throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
      request.signInId = halves.id
      return key
    },

    async close(request, reply) {
      if (request.headers[tabHeader] === undefined) return false
      const halves = halvesOf(request)
      if (!(await door.close(halves))) return false
      setCookie(reply, halves.id, '')
      return true
    },

    lend: setCookie,

    takeBack(request, reply, id) {
      const secret = cookieOf(request, cookieName(id))
      if (secret !== '') setCookie(reply, id, '')
      return secret
    },
  }
}

function cookieOf(request: FastifyRequest, name: string): string {
  const pairs = (request.headers.cookie ?? '').split('; ')
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
