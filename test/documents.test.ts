// The documents: the reference is the one the program's tables make, links and file names are real, pages stay short.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { referencePages } from '../docs/reference/pages.ts'
import { literalsIn } from '../docs/reference/sentences.ts'
import { documentation } from '../src/app/first-start.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file))

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...pagesIn('docs'),
  ...pagesIn('training'),
]

describe('docs/reference', () => {
  for (const [name, text] of Object.entries(referencePages()))
    test(`${name} is up to date (npm run reference)`, () => assert.equal(read(`docs/reference/${name}`), text))

  test('sentences are read out of code: joined, chosen, filled in', () => {
    const sentence = (code: string) => literalsIn(code, code.indexOf('(') + 1)
    assert.deepEqual(sentence(`f('a', 'One ' +\n // isn't\n 'two.', { cause })`), ['a', 'One two.'])
    assert.deepEqual(sentence(`f('a', b ? \`It's \${c(\`\${d}\`)}.\` : "No.") 'after'`), ['a', "It's ….", 'No.'])
  })
})

for (const page of pages) {
  test(`${page}: links and file names are of files there are`, () => {
    const text = read(page)
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?:|#)/.test(link!)) continue
      assert.ok(existsSync(join(root, dirname(page), link!.split('#')[0]!)), link)
    }
    for (const [, file] of text.matchAll(/`((?:src|test|docs|console|training|benchmarks)\/[\w./-]+\.\w+)`/g))
      assert.ok(existsSync(join(root, file!)), file)
  })
}

test('SECURITY.md: every promise names a test', () => {
  const [, defended] = /## What is defended\?\n(.*?)\n## /s.exec(read('SECURITY.md'))!
  const rows = defended!.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack'))
  assert.ok(rows.length > 30)
  for (const row of rows) assert.match(row.split(' | ')[1]!, /`(?:test|src)\/[\w/-]+\.test\.ts`/, row)
})

test('the README is short, and holds the two commands', () => {
  const readme = read('README.md')
  assert.ok(readme.trimEnd().split('\n').length < 120)
  assert.match(readme, /^npm ci && npm start$/m)
  assert.match(readme, /^npm ci && npm test$/m)
})

test('decisions are numbered without a gap, dated and linked', () => {
  const files = readdirSync(join(root, 'docs/decisions'))
    .filter((name) => name !== 'README.md')
    .sort()
  files.forEach((name, at) => {
    assert.match(name, new RegExp(`^${String(at + 1).padStart(3, '0')}-[a-z0-9-]+\\.md$`))
    assert.match(read(`docs/decisions/${name}`), /^# .+\n\n\d{4}-\d{2}\n/)
    assert.ok(read('docs/decisions/README.md').includes(`(${name})`), name)
  })
})

test('every package has a line in docs/dependencies.md', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    assert.ok(read('docs/dependencies.md').includes(`\`${name}\``), name)
})

test('the guide persona is taught every page for people who use Memoir', () => {
  const titles = documentation().map(({ title }) => title)
  assert.equal(new Set(titles).size, titles.length)
  for (const title of ['Questions about Memoir', 'Operating Memoir', 'Settings', 'The command line'])
    assert.ok(titles.includes(title), title)
})
