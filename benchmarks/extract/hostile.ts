// Hostile input: files that want to hang or eat the machine, addresses that want to reach inside.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createFetcher } from '../../src/extract/fetch.ts'
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

// Every name resolves to an inner address here, so that whatever is connected to would be forbidden.
export async function measureSsrf(_read: Reading, folder: string): Promise<Measured[]> {
  const urls = readFileSync(join(folder, 'ssrf/urls_internal.txt'), 'utf8').split('\n').filter(Boolean)
  const inner = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:10.0.0.1', 'fd00:ec2::254']
  const { connect } = await import('node:net').then((net) => net.Socket.prototype)
  const { Socket } = await import('node:net')
  const tried: string[] = []
  Socket.prototype.connect = function (this: InstanceType<typeof Socket>, ...given: unknown[]) {
    tried.push(JSON.stringify(given[0]))
    return connect.apply(this, given as never)
  } as typeof connect
  let refused = 0
  const details: string[] = []
  try {
    for (const [index, url] of urls.entries()) {
      const address = inner[index % inner.length]!
      const fetcher = createFetcher({
        timeoutMs: 3_000,
        resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }],
      })
      const before = tried.length
      const got = await fetcher.fetch(url).then(
        () => true,
        () => false,
      )
      if (!got) refused++
      if (got || tried.length > before) details.push(`${url} ${tried.slice(before).join(' ')}`)
    }
  } finally {
    Socket.prototype.connect = connect
  }
  return [
    {
      set: 'ssrf',
      what: `addresses refused, of ${urls.length}`,
      aim: 'all but public literals',
      result: `${refused}`,
      reached: null,
      details,
    },
  ]
}
