// What only one process may do at a time: it holds a lock of the server's, which goes with its connection.
import pg from 'pg'
import { clientSettings } from './connection.ts'
import { isLost, retrying, unavailable } from './retry.ts'

// Any number, as long as every Memoir takes the same.
export const LOCK = 5_734_291

export const alone = <T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> =>
  apart(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return act(client)
  })

// On a connection of its own, without a limit of time: it may take long on a large database.
export async function apart<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectedApart(url)
  try {
    return await act(client)
  } catch (error) {
    throw isLost(error) ? unavailable(error) : error
  } finally {
    await client.end().catch(() => {})
  }
}

// Whoever asks for it ends it.
export const connectedApart = (url: string): Promise<pg.Client> => retrying(() => connected(url))

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...clientSettings(url, 'memoir-apart'), query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  return client
}
