// One process tells the others that there is something to learn. Polls come anyway: a signal that is lost costs a
// second.
import pg from 'pg'
import { limits } from '../limits.ts'
import { clientSettings } from './connection.ts'

const CHANNEL = 'memoir_work'

export type Signal = { announce(): void; onAnnounced(heard: () => void): void; close(): Promise<void> }

export function createSignal(url: string, name: string, send: (sql: string) => Promise<unknown>): Signal {
  const listeners: (() => void)[] = []
  let listening: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  let pending: NodeJS.Timeout | undefined
  let closed = false

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...clientSettings(url, name), query_timeout: undefined })
    listening = client
    const lost = () => {
      if (listening !== client) return
      listening = undefined
      client.end().catch(() => {})
      if (!closed) again = setTimeout(listen, limits.listenAgainMs).unref()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => {
      for (const heard of listeners) heard()
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch {
      lost()
    }
  }

  return {
    // Not within the transactions themselves: the server lets those commit only one after the other. Many are said as
    // one.
    announce() {
      pending ??= setTimeout(() => {
        pending = undefined
        send(`notify ${CHANNEL}`).catch(() => {})
      }, limits.announceMs).unref()
    },
    onAnnounced(heard) {
      listeners.push(heard)
      if (listeners.length === 1) listen()
    },
    async close() {
      closed = true
      clearTimeout(again)
      clearTimeout(pending)
      await listening?.end().catch(() => {})
    },
  }
}
