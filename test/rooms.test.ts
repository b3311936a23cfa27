// The map of the house, held as data: which room may know which, and that the guide to the house names them all.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '..')
const src = join(root, 'src')

const map: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  contract: ['domain'],
  telemetry: ['ports'],
  learn: ['domain', 'ports', 'telemetry'],
  follow: ['domain', 'ports', 'telemetry'],
  language: ['domain'],
  recall: ['domain', 'ports', 'language', 'telemetry'],
  reply: ['domain', 'ports', 'language', 'recall'],
  app: ['domain', 'ports', 'contract', 'learn', 'language', 'recall', 'reply', 'scratch.ts'],
  store: ['domain', 'ports', 'telemetry', 'alive.ts', 'zip.ts', 'priority.ts'],
  models: ['domain', 'ports', 'telemetry', 'priority.ts'],
  extract: ['domain', 'ports', 'zip.ts', 'scratch.ts'],
  web: ['domain', 'ports', 'telemetry'],
  'alive.ts': [],
  'zip.ts': ['domain'],
  'priority.ts': [],
  'scratch.ts': [],
  mcp: ['domain', 'contract'],
  http: ['domain', 'ports', 'contract', 'app', 'mcp', 'telemetry', 'alive.ts', 'scratch.ts'],
  cli: ['domain', 'contract', 'app', 'mcp', 'doctor', 'config.ts', 'start.ts', 'back-up.ts', 'stores.ts', 'zip.ts'],
  doctor: ['domain', 'models', 'store', 'extract', 'config.ts', 'encryption-key.ts'],
  'folders.ts': ['config.ts'],
  'encryption-key.ts': ['config.ts'],
  'back-up.ts': ['domain', 'store', 'config.ts', 'folders.ts', 'encryption-key.ts'],
  'stores.ts': ['domain', 'ports', 'store', 'back-up.ts', 'config.ts', 'folders.ts', 'encryption-key.ts'],
  'open-issuer.ts': ['web', 'config.ts', 'folders.ts'],
  'open-models.ts': ['ports', 'recall', 'models', 'web', 'telemetry', 'config.ts'],
  'background.ts': ['ports', 'learn', 'follow', 'recall', 'config.ts'],
  'config.ts': ['domain', 'contract', 'telemetry', 'config-values.ts', 'config-issuer.ts'],
  'config-issuer.ts': ['domain', 'config-values.ts'],
  'config-values.ts': ['domain', 'telemetry'],
  'start.ts': [
    'domain',
    'ports',
    'contract',
    'learn',
    'language',
    'recall',
    'reply',
    'app',
    'store',
    'models',
    'extract',
    'web',
    'http',
    'telemetry',
    'back-up.ts',
    'background.ts',
    'config.ts',
    'folders.ts',
    'open-issuer.ts',
    'open-models.ts',
    'stores.ts',
  ],
}

// Rooms that others know by one file alone.
const ports: Record<string, string> = { language: join('language', 'language.ts') }

// A test joins both sides of a socket, as start.ts does.
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
const roomOf = (file: string) => file.split(sep)[0]!
const codeOf = (file: string) => readFileSync(join(src, file), 'utf8')
const importsOf = (file: string): string[] =>
  [...codeOf(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, target]) => relative(src, resolve(src, dirname(file), target!)))
    .filter((known) => !known.startsWith('..'))

for (const file of files) {
  test(`${file} knows only the rooms it may`, () => {
    const room = roomOf(file)
    assert.ok(map[room], `${room} is not on the map`)
    for (const known of importsOf(file)) {
      const other = roomOf(known)
      if (other === room) continue
      assert.ok(map[room]!.includes(other), `${file} imports ${known}`)
      assert.ok(!ports[other] || ports[other] === known, `${file} imports ${known}, not ${ports[other]}`)
    }
  })

  test(`${file} is small and opens with a sentence`, () => {
    const lines = readFileSync(join(src, file), 'utf8').split('\n')
    assert.ok(lines.length <= 300, `${lines.length} lines`)
    assert.match(lines.find((line) => !line.startsWith('#!'))!, /^\/\/ .{10,}/)
  })
}

// What other rooms may still have: each number may only fall.
const TIDY = ['ports', 'contract', 'language', 'recall', 'reply', 'app', 'models', 'web']
const MOST = { longFunctions: 2, longLines: 108 }
const FUNCTION_LINES = 70
const LINE_CHARACTERS = 120

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

// Every finding of a tidy room is an error; of the others together there are no more than so many.
function holdTo(most: number, found: { file: string; what: string }[]): void {
  const isTidy = ({ file }: { file: string }) => TIDY.includes(roomOf(file))
  assert.deepEqual(found.filter(isTidy), [])
  const others = found.filter((one) => !isTidy(one))
  assert.ok(others.length <= most, `${others.length}, not ${most}: ${JSON.stringify(others, null, 1)}`)
}

test('no file imports itself by way of others', () => {
  const found = files
    .map((file) => ({ file, what: pathBack(file)?.join(' → ') }))
    .flatMap(({ file, what }) => (what === undefined ? [] : [{ file, what }]))
  assert.deepEqual(found, [])
})

// The shortest way along imports from a file back to itself.
function pathBack(file: string): string[] | undefined {
  const seen = new Set<string>()
  let paths = [[file]]
  while (paths.length > 0) {
    const longer: string[][] = []
    for (const path of paths)
      for (const next of importsOf(path.at(-1)!)) {
        if (next === file) return [...path, file]
        if (seen.has(next) || !files.includes(next)) continue
        seen.add(next)
        longer.push([...path, next])
      }
    paths = longer
  }
  return undefined
}

test('functions are short', () => {
  const found = files.flatMap((file) =>
    functionsIn(codeOf(file))
      .filter(({ lines }) => lines > FUNCTION_LINES)
      .map(({ start, lines }) => ({ file, what: `${lines} lines from line ${start}` })),
  )
  holdTo(MOST.longFunctions, found)
})

test('a long function is found, and the functions inside it count for themselves', () => {
  const body = (indent: string, lines: number) => `${indent}call()\n`.repeat(lines)
  const inner = `  function inner() {\n${body('    ', 60)}  }\n`
  const outer = `export function outer(\n  a: number,\n): void {\n${body('  ', 30)}${inner}}\n`
  assert.deepEqual(
    functionsIn(outer).map(({ lines }) => lines),
    [62, 32],
  )
})

// Code is formatted, so a block ends where its indentation returns.
function functionsIn(code: string): { start: number; lines: number }[] {
  const opens = /(?:\bfunction\b.*|=>|^\s*\)(?:: .*)?|^\s*(?:async )?[\w$]+\(.*\)(?:: .*)?) \{$/
  const isOther = /^\s*(?:\} )?(?:if|for|while|switch|catch|else|try|do)\b/
  const open: { start: number; indent: number; inside: number }[] = []
  const found: { start: number; lines: number }[] = []
  code.split('\n').forEach((line, at) => {
    const indent = line.search(/\S/)
    const last = open.at(-1)
    if (last && line[indent] === '}' && indent === last.indent) {
      open.pop()
      const lines = at + 1 - last.start + 1
      found.push({ start: last.start, lines: lines - last.inside })
      const outer = open.at(-1)
      if (outer) outer.inside += lines
    }
    if (opens.test(line) && !isOther.test(line)) open.push({ start: at + 1, indent, inside: 0 })
  })
  return found
}

test('lines are short', () => {
  const found = sources.flatMap((file) =>
    codeOf(file)
      .split('\n')
      .flatMap((line, at) => (line.length > LINE_CHARACTERS ? [{ file, what: `line ${at + 1}` }] : [])),
  )
  holdTo(MOST.longLines, found)
})

const page = join(root, 'console')
const pageFiles = readdirSync(page, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(tsx?|css)$/.test(file) && !file.startsWith('dist'),
)

// A language is one file of the console, however many words it has: a list, to be translated as a whole.
const isLanguage = (file: string) => /words[\\/][a-z]{2}\.ts$/.test(file)

for (const file of pageFiles) {
  test(`console: ${file} is small, opens with a sentence, and knows the contract's types alone`, () => {
    const code = readFileSync(join(page, file), 'utf8')
    assert.ok(code.split('\n').length <= 300 || isLanguage(file), `${code.split('\n').length} lines`)
    assert.match(code, /^(?:\/\/|\/\*) .{10,}/)
    if (!file.startsWith('src')) return
    for (const [line, target] of code.matchAll(/^import .*?'(\.[^']+)'/gm)) {
      const known = relative(root, resolve(page, dirname(file), target!))
      if (known.startsWith('console')) continue
      assert.ok(line.startsWith('import type') && known.startsWith(join('src', 'contract')), `${file}: ${line}`)
    }
  })
}

test('ARCHITECTURE.md names every room', () => {
  const guide = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  for (const room of Object.keys(map)) assert.ok(guide.includes(`\`${room}\``) || guide.includes(`${room}/`), room)
  const lines = guide.trimEnd().split('\n')
  assert.ok(lines.length < 90, `${lines.length} lines`)
  for (const line of lines) assert.ok(line.length <= 100, line)
})

test('only start.ts chooses implementations', () => {
  for (const room of ['app', 'learn', 'language', 'recall', 'reply', 'http', 'contract', 'domain', 'ports']) {
    assert.ok(!map[room]!.some((other) => ['store', 'models', 'extract', 'web'].includes(other)), room)
  }
})
