// Pages: videos, people, walls of consent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from './read.ts'

function reading(html: string, url = 'https://example.com/watch?v=1') {
  return read({ bytes: Buffer.from(html), name: null, mediaType: 'text/html', url })
}

test('a video page gives title, description, chapters, and where its captions are', async () => {
  const player = {
    playabilityStatus: { status: 'OK' },
    videoDetails: { title: 'How bridges stand', author: 'Ada', shortDescription: 'About bridges: {"braces}" too.' },
    microformat: { playerMicroformatRenderer: { publishDate: '2021-02-03' } },
    captions: {
      playerCaptionsTracklistRenderer: {
        captionTracks: [
          { baseUrl: '/machine', languageCode: 'en', kind: 'asr' },
          { baseUrl: '/german', languageCode: 'de' },
          { baseUrl: '/english', languageCode: 'en-GB' },
        ],
      },
    },
  }
  const initial = { x: [{ chapterRenderer: { title: { simpleText: 'Arches' }, timeRangeStartMillis: 65_000 } }] }
  const found = await reading(
    `<html><head><title>x</title></head><body><script>var ytInitialPlayerResponse = ${JSON.stringify(player)};var a=1;</script><script>var ytInitialData = ${JSON.stringify(initial)};</script></body></html>`,
  )
  assert.equal(found.kind, 'video')
  assert.equal(found.text, 'How bridges stand\n\nAbout bridges: {"braces}" too.\n\n01:05 Arches')
  assert.deepEqual(
    [found.title, found.author, found.time?.toISOString()],
    ['How bridges stand', 'Ada', '2021-02-03T00:00:00.000Z'],
  )
  assert.equal(found.captions, 'https://example.com/english')
})

test('a video that is not shown fails with the reason', async () => {
  const player = { playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' } }
  await assert.rejects(
    reading(`<html><body><script>var ytInitialPlayerResponse = ${JSON.stringify(player)};</script></body></html>`),
    /Video unavailable/,
  )
})

test('other video sites: schema.org and tracks', async () => {
  const thing = {
    '@type': 'VideoObject',
    name: 'Talk',
    description: 'On rivers.',
    uploadDate: '2020-01-01',
    hasPart: [{ '@type': 'Clip', name: 'Start', startOffset: 0 }],
  }
  const found = await reading(
    `<html><body><script type="application/ld+json">${JSON.stringify(thing)}</script><video><track kind="subtitles" src="subs.vtt"></video></body></html>`,
  )
  assert.equal(found.text, 'Talk\n\nOn rivers.\n\n00:00 Start')
  assert.equal(found.captions, 'https://example.com/subs.vtt')
})

test('a profile gives what its markup says of the person', async () => {
  const person = {
    '@type': 'Person',
    name: 'Jane Doe',
    jobTitle: 'Professor',
    address: { '@type': 'PostalAddress', addressLocality: 'Seattle' },
    image: 'x.jpg',
    worksFor: { '@type': 'Organization', name: 'The University' },
  }
  const json = await reading(
    `<html><body><script type="application/ld+json">${JSON.stringify({ '@graph': [person] })}</script><p>Welcome to my page.</p></body></html>`,
  )
  assert.equal(json.kind, 'profile')
  assert.equal(json.title, 'Jane Doe')
  assert.equal(
    json.text,
    'Jane Doe\n\nName: Jane Doe\nJob title: Professor\nAddress: Seattle\nWorks for: The University\n\nWelcome to my page.',
  )
  const attributes = await reading(
    '<html><body><div itemscope itemtype="https://schema.org/Person"><span itemprop="name">Jane Doe</span><div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">Seattle</span></div><a itemprop="email" href="mailto:j@x.org">j@x.org</a></div></body></html>',
  )
  assert.ok(attributes.text.includes('Address: Seattle') && attributes.text.includes('Email: j@x.org'), attributes.text)
  const resume = await reading(
    '<html><body><div class="h-resume"><div class="p-contact h-card"><span class="p-name">Tim</span></div><p class="p-summary">Invented it.</p><span class="p-skill">Leading</span></div></body></html>',
  )
  assert.ok(resume.text.includes('Summary: Invented it.') && resume.text.includes('Skill: Leading'), resume.text)
})

test("an article's author does not make it a profile", async () => {
  const things = [
    {
      '@type': 'NewsArticle',
      headline: 'News',
      datePublished: '2020-02-02',
      author: { '@type': 'Person', name: 'Ada' },
    },
    { '@type': 'Person', name: 'Ada' },
  ]
  const found = await reading(
    `<html><body><script type="application/ld+json">${JSON.stringify(things)}</script><article><p>${'The river rose. '.repeat(30)}</p></article></body></html>`,
  )
  assert.equal(found.kind, 'html')
  assert.deepEqual([found.author, found.time?.getUTCFullYear()], ['Ada', 2020])
})

test('a wall of consent is no page', async () => {
  await assert.rejects(
    reading(
      '<html><body><form action="https://consent.example.com/save"><p>Before you continue</p><button>Yes</button></form></body></html>',
    ),
    /consent/,
  )
})
