// Hostile input: files that want to hang or eat the machine, addresses that want to reach inside.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { isPublicAddress } from '../../src/web/addresses.ts'
import { createFetcher } from '../../src/web/fetch.ts'
import { filesIn } from './pages.ts'
import type { Measured, Reading } from './reading.ts'

export async function measureMalformed(read: Reading, folder: string): Promise<Measured[]> {
  let [slowest, slowestName, peak, readable] = [0, '', 0, 0]
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  const paths = filesIn(folder, 'malformed', /./).filter((path) => statSync(path).isFile())
  for (const path of paths) {
    const { extracted, ms } = await read.file(path)
    if (extracted) readable++
    if (ms > slowest) [slowest, slowestName] = [ms, path.split('/').at(-1)!]
  }
  clearInterval(watch)
  const mib = peak / 1024 / 1024
  return [
    {
      set: 'malformed',
      what: `slowest of ${paths.length} files (${readable} gave text), ${slowestName}`,
      aim: '≤ 20 s',
      result: `${(slowest / 1000).toFixed(1)} s`,
      reached: slowest <= 20_000,
      details: [],
    },
    {
      set: 'malformed',
      what: 'peak memory of the process',
      aim: '< 1 GB',
      result: `${mib.toFixed(0)} MiB`,
      reached: mib < 953,
      details: [],
    },
  ]
}

// Every name resolves to an inner address here, so that whatever is connected to by name would be forbidden.
// Connections are counted where the runtime makes them, not where our own code says it refused.
export async function measureSsrf(_read: Reading, folder: string): Promise<Measured[]> {
  const urls = readFileSync(join(folder, 'ssrf/urls_internal.txt'), 'utf8').split('\n').filter(Boolean)
  const inner = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:10.0.0.1', 'fd00:ec2::254']
  const tried: string[] = []
  const watch = (message: unknown) =>
    (message as { socket: Socket }).socket.on('connectionAttempt', (address: string) => tried.push(address))
  subscribe('net.client.socket', watch)
  if (!(await isSeen(tried))) throw new Error('Connections cannot be watched: nothing can be said.')
  let refused = 0
  const details: string[] = []
  for (const [index, url] of urls.entries()) {
    const address = inner[index % inner.length]!
    const fetcher = createFetcher({
      timeoutMs: 2_000,
      resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }],
    })
    const before = tried.length
    const fetched = await fetcher.fetch(url).then(
      () => true,
      () => false,
    )
    if (!fetched) refused++
    const forbidden = tried.slice(before).filter((reached) => !isPublicAddress(reached))
    if (fetched || forbidden.length > 0) details.push(`${url.slice(0, 100)} ${forbidden.join(' ')}`)
  }
  unsubscribe('net.client.socket', watch)
  const forbidden = tried.filter((address) => !isPublicAddress(address)).length
  return [
    {
      set: 'ssrf',
      what: `connections to forbidden addresses, ${urls.length} URLs (${refused} not fetched, ${tried.length} connections tried)`,
      aim: '0',
      result: `${forbidden}`,
      reached: forbidden === 0,
      details,
    },
  ]
}

// The watch itself is tested first, on a server of our own.
async function isSeen(tried: string[]): Promise<boolean> {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await createFetcher({ allowPrivate: true }).fetch(`http://127.0.0.1:${port}/`)
  server.close()
  return tried.splice(0).includes('127.0.0.1')
}
