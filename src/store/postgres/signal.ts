// One process tells the others that there is something to learn, or to send. Polls come anyway: a signal that is lost costs a
// second.
import pg from 'pg'
import { limits } from '../limits.ts'
import { clientSettings } from './connection.ts'

const CHANNEL = 'memoir_work'

type Subject = 'work' | 'events'

export type Signal = {
  announce(subject: Subject): void
  onAnnounced(subject: Subject, heard: () => void): void
  close(): Promise<void>
}

export function createSignal(url: string, name: string, send: (sql: string) => Promise<unknown>): Signal {
  const listeners: { subject: string; heard: () => void }[] = []
  let listening: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  const pending = new Map<Subject, NodeJS.Timeout>()
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
    client.on('notification', ({ payload }) => {
      for (const { subject, heard } of listeners) if (subject === payload) heard()
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
    announce(subject) {
      if (pending.has(subject)) return
      const soon = setTimeout(() => {
        pending.delete(subject)
        send(`notify ${CHANNEL}, '${subject}'`).catch(() => {})
      }, limits.announceMs)
      pending.set(subject, soon.unref())
    },
    onAnnounced(subject, heard) {
      listeners.push({ subject, heard })
      if (listeners.length === 1) listen()
    },
    async close() {
      closed = true
      clearTimeout(again)
      for (const soon of pending.values()) clearTimeout(soon)
      await listening?.end().catch(() => {})
    },
  }
}
