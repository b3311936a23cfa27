// Reading a URL, whole: real servers, real threads; pages, files, redirects, and the captions of a video.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { AppError } from '../src/domain/errors.ts'
import { createExtractor } from '../src/extract/extractor.ts'
import { readUrl } from '../src/learn/read-url.ts'
import { createFetcher } from '../src/web/fetch.ts'

const words = 'The river rose in the night and took the old bridge with it, as it had done before. '
const video = (captions: string | null, description: string) =>
  `<html><body><script>var ytInitialPlayerResponse = ${JSON.stringify({
    videoDetails: { title: description ? 'Rivers' : '', shortDescription: description },
    ...(captions && {
      captions: { playerCaptionsTracklistRenderer: { captionTracks: [{ baseUrl: captions, languageCode: 'en' }] } },
    }),
  })};</script></body></html>`
const pages: Record<string, [headers: Record<string, string>, body: string | Uint8Array]> = {
  '/article': [
    { 'content-type': 'text/html', 'content-encoding': 'gzip' },
    gzipSync(
      `<html><head><meta charset="utf-8"><meta property="article:published_time" content="2022-11-05T08:00:00Z"><title>Bridge</title></head><body><nav><a href="/">Home</a></nav><article><p>${words.repeat(5)}</p></article></body></html>`,
    ),
  ],
  '/table': [{ 'content-type': 'application/octet-stream' }, 'name,age\nAda,36\nBen,40\n'],
  '/video': [{ 'content-type': 'text/html' }, video('/captions', 'About rivers.')],
  '/refused': [{ 'content-type': 'text/html' }, video('/nothing', 'About rivers.')],
  '/silent': [{ 'content-type': 'text/html' }, video(null, '')],
  '/captions': [{ 'content-type': 'text/vtt' }, 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>It begins in the hills.\n'],
  '/odd': [
    { 'content-type': 'text/html; charset=shift_jis' },
    Buffer.from([...Buffer.from('<p>'), 0x93, 0xfa, 0x96, 0x7b, ...Buffer.from('</p>')]),
  ],
}
const server = createServer((request, response) => {
  const page = pages[request.url!]
  if (request.url === '/moved') response.writeHead(301, { location: '/table' }).end()
  else if (page) response.writeHead(200, page[0]).end(page[1])
  else response.writeHead(404).end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const needs = { fetcher: createFetcher({ allowPrivate: true }), extractor: createExtractor({ threads: 1 }) }
after(async () => {
  server.close()
  await needs.fetcher.close()
  await needs.extractor.close()
})

test('an article comes with its date, and without its menu', async () => {
  const { extracted: found } = await readUrl(needs, `${local}/article`)
  assert.equal(found.time?.toISOString(), '2022-11-05T08:00:00.000Z')
  assert.ok(found.text.startsWith('The river rose') && !found.text.includes('Home'), found.text)
})

test('a file behind a redirect is read as what it is', async () => {
  const { extracted: found, content, bytesSuffice } = await readUrl(needs, `${local}/moved`)
  assert.deepEqual(
    [found.kind, content.url, found.text, bytesSuffice],
    ['csv', `${local}/table`, 'name\tage\nAda\t36\nBen\t40', true],
  )
})

test('the captions of a video follow what its page says', async () => {
  const { extracted: found, bytesSuffice } = await readUrl(needs, `${local}/video`)
  assert.equal(bytesSuffice, false)
  assert.equal(found.text, 'Rivers\n\nAbout rivers.\n\nAda: It begins in the hills.')
  const turn = found.blocks.at(-1)!
  assert.deepEqual(
    [turn.speaker, turn.offsetMs, found.text.slice(turn.start, turn.end)],
    ['Ada', 1_000, 'Ada: It begins in the hills.'],
  )
})

test('captions that cannot be had do not cost the description; a video without any is unreadable', async () => {
  assert.equal((await readUrl(needs, `${local}/refused`)).extracted.text, 'Rivers\n\nAbout rivers.')
  await assert.rejects(
    readUrl(needs, `${local}/silent`),
    (error) => error instanceof AppError && error.code === 'unreadable',
  )
})

test('an odd encoding is understood', async () => {
  assert.equal((await readUrl(needs, `${local}/odd`)).extracted.text, '日本')
})

test('what cannot be fetched is unreachable', async () => {
  await assert.rejects(
    readUrl(needs, `${local}/nowhere`),
    (error) => error instanceof AppError && error.code === 'unreachable',
  )
})
