// What only one process may do at a time: it holds a lock of the server's, which goes with its connection.
import pg from 'pg'
import { clientSettings } from './connection.ts'
import { retrying } from './retry.ts'

// Any number, as long as every Memoir takes the same.
const LOCK = 5_734_291

export async function alone<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await retrying(() => connected(url))
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await act(client)
  } finally {
    await client.end().catch(() => {})
  }
}

// Without a limit of time: what is done alone may take long on a large database, and whoever comes second waits for it.
async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...clientSettings(url, 'memoir-alone'), query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  return client
}
