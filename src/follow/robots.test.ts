// robots.txt, as RFC 9309 reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRobots } from './robots.ts'

const allows = (text: string, path: string) => readRobots(text).allows(new URL(path, 'https://garden.example'))

const cases: [name: string, robots: string, allowed: string[], forbidden: string[]][] = [
  ['nothing said allows everything', '', ['/', '/a'], []],
  ['an empty rule forbids nothing', 'User-agent: *\nDisallow:', ['/a'], []],
  ['what is for everybody', 'User-agent: *\nDisallow: /a', ['/', '/b'], ['/a', '/abc', '/a/b']],
  [
    'our own name stands above everybody, in any case and with a version',
    'User-agent: *\nDisallow: /\n\nUser-agent: MEMOIR/2.0\nDisallow: /b',
    ['/a'],
    ['/b'],
  ],
  ['names that stand together share their rules', 'User-agent: x\nUser-agent: memoir\nDisallow: /a', ['/b'], ['/a']],
  ['groups of one name are one', 'User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b', ['/c'], ['/a', '/b']],
  [
    'the longest rule decides, then the one that allows',
    'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c',
    ['/a/b', '/c'],
    ['/a/c'],
  ],
  [
    'a star is anything, a dollar the end',
    'User-agent: *\nDisallow: /*.pdf$\nDisallow: /x*y',
    ['/a.pdfx', '/xz'],
    ['/a/b.pdf', '/x1y2'],
  ],
  ['the end of a rule without a star', 'User-agent: *\nDisallow: /a$', ['/ab'], ['/a']],
  [
    'comments, blank lines and other line ends',
    '# hello\r\nUser-agent: * # all\r\n\r\nDisallow: /a # this\r\n',
    ['/b'],
    ['/a'],
  ],
  ['letters beyond ASCII', 'User-agent: *\nDisallow: /gärten', ['/garten'], ['/gärten/1']],
  ['a query is part of it', 'User-agent: *\nDisallow: /*?print', ['/a'], ['/a?print=1']],
]

for (const [name, robots, allowed, forbidden] of cases)
  test(name, () => {
    for (const path of allowed) assert.ok(allows(robots, path), path)
    for (const path of forbidden) assert.ok(!allows(robots, path), path)
  })

test('the pause and the sitemaps', () => {
  const robots = readRobots('Sitemap: https://a.example/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nSitemap: /2.xml')
  assert.equal(robots.delayS, 2.5)
  assert.deepEqual(robots.sitemaps, ['https://a.example/1.xml', '/2.xml'])
})

test('many stars take no more than linear time', () => {
  const robots = `User-agent: *\n${`Disallow: /${'*a'.repeat(400)}$\n`.repeat(200)}`
  const began = performance.now()
  assert.ok(allows(robots, `/${'a'.repeat(1_900)}b`))
  assert.ok(performance.now() - began < 1_000)
})
