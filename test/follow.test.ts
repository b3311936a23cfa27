// Feeds and sites that a persona follows, through the front, from a server of their own: what comes in, what comes
// again, and how the server is treated.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { ADMIN_KEY, type Answer, startService } from './started.ts'

type Reply = { status?: number; body?: string | Buffer; headers?: Record<string, string> }
type Site = { url: string; pages: Record<string, Reply>; asked: { path: string; at: number; status: number }[] }

// A site of its own port, so that nothing of one test waits for another's pauses.
async function startSite(pages: Record<string, Reply> = {}): Promise<Site> {
  const site: Site = { url: '', pages, asked: [] }
  const server = createServer((request, response) => {
    const { status = 200, body = '', headers = {} } = site.pages[request.url!] ?? { status: 404 }
    const etag = headers.etag
    const code = etag && request.headers['if-none-match'] === etag ? 304 : status
    site.asked.push({ path: request.url!, at: Date.now(), status: code })
    response.writeHead(code, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(code === 304 ? '' : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return site
}

const page = (title: string, text: string, more: Reply = {}): Reply => ({
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
  ...more,
})
const sitemap = (site: Site, ...pages: [path: string, lastmod?: string][]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages
    .map(([path, day]) => `<url><loc>${site.url}${path}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`)
    .join('')}</urlset>`

const service = await startService({
  MEMOIR_ALLOW_PRIVATE_URLS: '1',
  MEMOIR_READER: '0',
  MEMOIR_FOLLOW_DELAY_MS: '10',
  MEMOIR_FOLLOW_SITE_PAGES: '4',
})
await service.persona('ada-l')
const key = await service.key(['ada-l'])
const of = '/personas/ada-l/sources'

const follow = async (fields: object) => (await service.admin('POST', of, fields)).id as string
const until = async (id: string, is: (source: Answer['body']) => boolean): Promise<Answer['body']> => {
  for (;;) {
    const source = await service.admin('GET', `${of}/${id}`)
    if (is(source)) return source
    await wait(10)
  }
}
const looked = (id: string) => until(id, ({ error, last_look }) => error ?? last_look)
const lookAgain = async (id: string) => {
  const before = await service.admin('GET', `${of}/${id}`)
  await service.admin('POST', `${of}/${id}/look`)
  return until(id, ({ last_look }) => last_look && last_look.at !== before.last_look?.at)
}
const counts = ({ last_look: { new: added, changed, same, vanished } }: Answer['body']) => [
  added,
  changed,
  same,
  vanished,
]
const documentsOf = async (id: string) =>
  (await service.admin('GET', `/personas/ada-l/documents?limit=200&sort=title&request_id=${id}`)).documents
const textOf = async (id: string) => (await service.admin('GET', `/personas/ada-l/documents/${id}`)).text

const blog = await startSite()
blog.pages = {
  '/': page('The garden', 'Welcome.'),
  '/robots.txt': {
    body: `User-agent: *\nDisallow: /\n\nUser-agent: Memoir\nDisallow: /private/\nDisallow: /*.tmp$\nSitemap: ${blog.url}/index.xml`,
  },
  '/index.xml': {
    body: `<sitemapindex><sitemap><loc>${blog.url}/pages.xml.gz</loc></sitemap></sitemapindex>`,
  },
  '/pages.xml.gz': {},
  '/tulips': page('Tulips', 'The tulips stand in the cold frame behind the shed.', { headers: { etag: '"t1"' } }),
  '/pump': page('The pump', 'The pump runs from six to seven in the morning.'),
  '/dated': page('Dated', 'The gate was painted green.'),
}
const listPages = (...pages: [string, string?][]) => {
  blog.pages['/pages.xml.gz'] = {
    body: gzipSync(sitemap(blog, ...pages)),
    headers: { 'content-type': 'application/gzip' },
  }
}
let blogId = ''

test('a site comes in by its sitemap, as far as robots.txt allows, and can be asked about', async () => {
  listPages(['/tulips'], ['/pump'], ['/dated', '2026-01-01'], ['/private/diary'], ['/x.tmp'], ['/missing'], ['/beyond'])
  blogId = await follow({ url: `${blog.url}/` })
  const source = await looked(blogId)
  assert.equal(source.error, null)
  assert.equal(source.kind, 'site')
  assert.equal(source.title, 'The garden')
  assert.equal(source.every, '1d')
  assert.deepEqual(counts(source), [3, 0, 0, 0])
  assert.deepEqual(source.last_look.left_out, {
    'robots.txt asks not to fetch it': 2,
    'beyond the 4 pages that are followed of a site': 1,
    'The address answered with status 404.': 1,
  })
  const due = Date.parse(source.next_look_at) - Date.parse(source.last_look.at)
  assert.equal(due, 24 * 60 * 60_000)
  await service.learned()
  const documents = await documentsOf(blogId)
  assert.deepEqual(
    documents.map(({ title, kind, url }: Record<string, string>) => [title, kind, url]),
    [
      ['Dated', 'url', `${blog.url}/dated`],
      ['The pump', 'url', `${blog.url}/pump`],
      ['Tulips', 'url', `${blog.url}/tulips`],
    ],
  )
  const asked = await service.call({
    path: '/v1/message',
    key,
    body: { DomainName: 'ada-l', Text: 'When does the pump run?' },
  })
  assert.match(asked.body.ai_message, /six to seven/)
  assert.ok(!blog.asked.some(({ path }) => path.startsWith('/private') || path.endsWith('.tmp')))
})

test('again, only what changed is fetched and replaced; what has vanished is told and stays', async () => {
  blog.asked.length = 0
  const [dated, pump, tulips] = await documentsOf(blogId)
  blog.pages['/pump'] = page('The pump', 'The pump runs from nine to ten in the evening.')
  listPages(['/tulips'], ['/pump'])
  const source = await lookAgain(blogId)
  assert.deepEqual(counts(source), [0, 1, 1, 1])
  assert.deepEqual(source.last_look.vanished_pages, [{ url: `${blog.url}/dated`, document_id: dated.id }])
  assert.equal(blog.asked.find(({ path }) => path === '/tulips')!.status, 304)
  await service.learned()
  assert.match(await textOf(pump.id), /nine to ten/)
  assert.match(await textOf(dated.id), /painted green/)
  const { revisions } = await service.admin('GET', `/personas/ada-l/documents/${pump.id}/revisions`)
  assert.match(revisions[0].text, /six to seven/)
  // What its owner deleted stays away while it is the same there, and is not told any more.
  for (const { id } of [dated, tulips]) await service.admin('DELETE', `/personas/ada-l/documents/${id}`)
  delete blog.pages['/tulips']!.headers
  assert.deepEqual(counts(await lookAgain(blogId)), [0, 0, 2, 0])
  assert.equal((await documentsOf(blogId)).length, 1)
})

test('a page that its sitemap calls unchanged is not asked for', async () => {
  listPages(['/dated', '2026-01-01'], ['/pump', '2026-02-01'])
  assert.deepEqual(counts(await lookAgain(blogId)), [1, 0, 1, 0])
  blog.asked.length = 0
  assert.deepEqual(counts(await lookAgain(blogId)), [0, 0, 2, 0])
  assert.deepEqual(
    blog.asked.map(({ path }) => path),
    ['/robots.txt', '/', '/index.xml', '/pages.xml.gz'],
  )
})

test('a feed comes in with title, author, time and address; what it only sums up is fetched', async () => {
  const feed = await startSite()
  const item = (id: number, more: string) =>
    `<item><guid isPermaLink="false">${id}</guid><title>Entry ${id} &amp;amp; more</title>${more}</item>`
  const whole = (text: string) =>
    `<content:encoded><![CDATA[<h2>Shed</h2><p>${text}</p>]]></content:encoded><dc:creator>Grace Hopper</dc:creator>
     <pubDate>Mon, 08 May 2023 13:56:00 GMT</pubDate><link>${feed.url}/one</link>`
  const write = (...items: string[]) => {
    const body = `<?xml version="1.0"?><rss version="2.0"><channel><title>Shed news</title>${items.join('')}</channel></rss>`
    feed.pages['/feed'] = { body, headers: { 'content-type': 'application/rss+xml', etag: `"${body.length}"` } }
  }
  feed.pages['/two'] = page('Two', 'The kettle was descaled with vinegar.')
  const two = item(2, `<link>${feed.url}/two</link><description>A kettle.</description>`)
  const three = item(3, '<description>Only this note about gloves.</description>')
  write(item(1, whole('The shed has a new door.')), two, three)
  const id = await follow({ url: `${feed.url}/feed`, every: '30m' })
  const first = await looked(id)
  assert.deepEqual([first.kind, first.title, first.every, first.error], ['feed', 'Shed news', '30m', null])
  assert.deepEqual(counts(first), [3, 0, 0, 0])
  assert.ok(!feed.asked.some(({ path }) => path === '/one'))
  await service.learned()
  const [one, second, third] = await documentsOf(id)
  assert.equal(one.title, 'Entry 1 & more')
  assert.equal(one.start_time_utc, '2023-05-08T13:56:00.000Z')
  assert.equal(one.url, `${feed.url}/one`)
  assert.deepEqual(one.tags, ['Grace Hopper'])
  assert.match(await textOf(one.id), /By Grace Hopper, 2023-05-08[\s\S]*new door/)
  assert.match(await textOf(second.id), /vinegar/)
  assert.match(await textOf(third.id), /gloves/)
  // Not changed: one request for it, none for its entries.
  feed.asked.length = 0
  assert.deepEqual(counts(await lookAgain(id)), [0, 0, 3, 0])
  assert.deepEqual(
    feed.asked.map(({ path, status }) => [path, status]),
    [
      ['/robots.txt', 404],
      ['/feed', 304],
    ],
  )
  write(item(1, whole('The shed has a blue door.')), item(4, '<description>New entry.</description>'), two)
  assert.deepEqual(counts(await lookAgain(id)), [1, 1, 1, 0])
  await service.learned()
  assert.match(await textOf(one.id), /blue door/)
  assert.equal((await documentsOf(id)).length, 4)
})

test('Atom is read, and a page leads to the feed it names', async () => {
  const site = await startSite()
  site.pages = {
    '/': {
      body: '<html><head><link rel="alternate" type="application/atom+xml" href="/atom.xml"></head><body></body></html>',
    },
    '/atom.xml': {
      body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><entry><id>urn:1</id><title>Bees</title>
        <link rel="alternate" href="/bees"/><author><name>Karl</name></author><published>2024-02-03T10:00:00Z</published>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Bees like <b>borage</b>.</p></div></content>
        </entry></feed>`,
      headers: { 'content-type': 'application/atom+xml' },
    },
  }
  const source = await looked(await follow({ url: site.url }))
  assert.deepEqual([source.kind, source.title, ...counts(source)], ['feed', 'Notes', 1, 0, 0, 0])
  await service.learned()
  const [bees] = await documentsOf(source.id)
  assert.deepEqual(
    [bees.title, bees.url, bees.start_time_utc],
    ['Bees', `${site.url}/bees`, '2024-02-03T10:00:00.000Z'],
  )
  assert.match(await textOf(bees.id), /Bees like borage\./)
})

test('a Crawl-delay is kept between two requests', async () => {
  const site = await startSite()
  site.pages = {
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 0.3' },
    '/sitemap.xml': { body: sitemap(site, ['/a']) },
    '/a': page('A', 'Slowly.'),
  }
  assert.deepEqual(counts(await looked(await follow({ url: `${site.url}/sitemap.xml`, kind: 'site' }))), [1, 0, 0, 0])
  const [, first, second] = site.asked.map(({ at }) => at)
  // As the server sees it: the first request may have been on its way for a while.
  assert.ok(second! - first! >= 200, `${second! - first!} ms`)
})

test('a server that asks for time gets it, and what was done by then stays done', async () => {
  const site = await startSite()
  site.pages = {
    '/sitemap.xml': { body: sitemap(site, ['/a'], ['/b']) },
    '/a': page('A', 'The first page.'),
    '/b': { status: 429, headers: { 'retry-after': '7200' } },
  }
  const id = await follow({ url: `${site.url}/sitemap.xml` })
  const source = await looked(id)
  assert.equal(source.error, 'The address answered with status 429.')
  assert.equal(source.failures, 1)
  const dueIn = Date.parse(source.next_look_at) - Date.now()
  assert.ok(dueIn > 7_100_000 && dueIn <= 7_200_000, `${dueIn}`)
  site.asked.length = 0
  site.pages['/b'] = page('B', 'The second page.')
  assert.deepEqual(counts(await lookAgain(id)), [2, 0, 0, 0])
  assert.ok(!site.asked.some(({ path }) => path === '/a'))
})

test('what cannot be followed says why, and is switched off in the end', async () => {
  const site = await startSite({ '/robots.txt': { body: 'User-agent: memoir\nDisallow: /' } })
  const forbidden = await looked(await follow({ url: site.url }))
  assert.equal(forbidden.error, 'robots.txt asks not to fetch it.')
  const bare = await startSite({ '/': page('Bare', 'No sitemap here.') })
  const id = await follow({ url: bare.url })
  assert.match((await looked(id)).error, /neither a feed nor a sitemap/)
  const broken = await startSite({ '/robots.txt': { status: 503 } })
  const brokenId = await follow({ url: broken.url, kind: 'feed' })
  const failed = (times: number) => until(brokenId, ({ failures }) => failures >= times)
  for (let times = 1; times < 8; times++) {
    const source = await failed(times)
    assert.ok(source.is_on && Date.parse(source.next_look_at) > Date.now() + 60_000)
    await service.admin('POST', `${of}/${brokenId}/look`)
  }
  const off = await failed(8)
  assert.equal(off.is_on, false)
  const sentence = 'It could not be followed 8 times in a row. The last time: robots.txt answered with status 503.'
  assert.equal(off.off_reason, sentence)
  const waiting = async () =>
    (await service.admin('GET', '/waiting')).waiting.filter(({ kind }: { kind: string }) => kind === 'source')
  const [told, ...others] = await waiting()
  assert.deepEqual([told.kind, told.source, told.says], ['source', { id: brokenId, name: `${broken.url}/` }, sentence])
  assert.deepEqual(others, [], 'those that their owner switched off do not wait')
  broken.pages = {
    '/': {
      body: '<rss><channel><title>Back</title><item><title>A</title><description>B</description></item></channel></rss>',
    },
  }
  await service.admin('PATCH', `${of}/${brokenId}`, { is_on: true })
  assert.deepEqual(await waiting(), [])
  assert.deepEqual(counts(await looked(brokenId)), [1, 0, 0, 0])
  const { status, body } = await service.call({
    path: `/admin${of}`,
    key: ADMIN_KEY,
    body: { url: 'ftp://example.org/feed' },
  })
  assert.deepEqual([status, body.detail], [400, 'Only http and https addresses can be fetched.'])
  assert.equal((await service.call({ path: `/admin${of}`, key: ADMIN_KEY, body: { url: bare.url } })).status, 409)
  assert.equal(
    (await service.call({ path: `/admin${of}`, key: ADMIN_KEY, body: { url: bare.url, every: '5m' } })).status,
    400,
  )
})

test('an export takes it along; imported, it is off until its owner switches it on, and nothing is doubled', async () => {
  const exported = await fetch(`${service.url}/admin/personas/ada-l/export`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY },
  })
  const body = new Uint8Array(await exported.arrayBuffer())
  const headers = { 'content-type': 'application/zip' }
  const { status } = await service.call({ path: '/admin/import?as=copy', key: ADMIN_KEY, body, headers })
  assert.equal(status, 200)
  const copied = () => service.admin('GET', `/personas/copy/sources/${blogId}`)
  const { is_on, off_reason, next_look_at, kind } = await copied()
  assert.deepEqual([is_on, next_look_at, kind], [false, null, 'site'])
  assert.match(off_reason, /imported/)
  await service.admin('PATCH', `/personas/copy/sources/${blogId}`, { is_on: true })
  let source = await copied()
  while (!source.last_look) source = await copied()
  assert.deepEqual(counts(source), [0, 0, 2, 0])
  await service.admin('DELETE', '/personas/copy')
})

test('the command line looks, and says what came of it', async () => {
  const memoir = join(import.meta.dirname, '../src/cli/main.ts')
  const env = { ...process.env, MEMOIR_URL: service.url, MEMOIR_KEY: ADMIN_KEY }
  const { stdout } = await promisify(execFile)(process.execPath, [memoir, 'source', 'look', 'ada-l', blogId], { env })
  assert.match(stdout, /0 new, 0 changed, 2 same, 0 vanished, 0 left out/)
})

test('it is changed, switched off and deleted; the documents stay', async () => {
  const changed = await service.admin('PATCH', `${of}/${blogId}`, { every: '6h', is_on: false })
  assert.deepEqual(
    [changed.every, changed.is_on, changed.off_reason, changed.next_look_at],
    ['6h', false, 'It was switched off.', null],
  )
  const look = await service.call({ path: `/admin${of}/${blogId}/look`, key: ADMIN_KEY })
  assert.equal(look.status, 409)
  const before = (await documentsOf(blogId)).length
  assert.deepEqual(await service.admin('DELETE', `${of}/${blogId}`), { deleted: blogId })
  assert.equal((await service.call({ method: 'GET', path: `/admin${of}/${blogId}`, key: ADMIN_KEY })).status, 404)
  assert.equal((await documentsOf(blogId)).length, before)
})
