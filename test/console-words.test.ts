// Every word of the console stands in its words files: no text in the pages, no key unused, and all languages alike.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { de } from '../console/src/words/de.ts'
import { en } from '../console/src/words/en.ts'

const root = join(import.meta.dirname, '../console/src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith('words') && !file.endsWith('.d.ts'),
)

// Names that are the same in every language: of the product, of others, of fields of the interface, of keyboard keys.
const NAMES = new Set([
  ...['Memoir', 'OpenAI', 'Anthropic', 'Google', 'DomainName', 'UserName', 'SessionId', 'SourceName', 'webhook-id'],
  ...['Enter', 'Escape', 'GET', 'POST', 'DELETE', 'UTC', 'NFKD', 'Files', 'M', 'L', 'console'],
])
const SHOWN = new Set(['aria-label', 'title', 'label', 'hint', 'placeholder', 'alt', 'does', 'back', 'about'])
const LETTER = /\p{L}/u
const ADDRESS = /^https?:|^memoir_/

type Node = { type: string; [key: string]: unknown }

// Texts between tags, in attributes that are shown, and what else begins like a sentence.
function textsIn(file: string, code: string): string[] {
  const found: string[] = []
  const visit = (node: Node, parent?: Node, grandparent?: Node) => {
    const text = textOf(node)
    const within = parent?.type === 'JSXAttribute' ? (parent.name as { name: string }).name : undefined
    if (text !== undefined && LETTER.test(text) && !NAMES.has(text.trim()) && !ADDRESS.test(text)) {
      const tag = (parent?.openingElement as { name: { name?: string } } | undefined)?.name.name
      const isShown = node.type === 'JSXText' ? tag !== 'code' && tag !== 'kbd' : within && SHOWN.has(within)
      const isSentence = !within && node.type !== 'JSXText' && /^\p{Lu}\p{Ll}|\p{Ll} \p{Ll}+[.?!:]/u.test(text)
      const isImport = /^Import|^Export|^TS/.test(parent?.type ?? '') || /^TS/.test(grandparent?.type ?? '')
      if ((isShown || isSentence) && !isImport) found.push(`${file}: ${text.trim()}`)
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === 'string') visit(child, node, parent)
  }
  visit(parseSync(file, code).program as unknown as Node)
  return found
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return node.value as string
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateElement') return (node.value as { cooked: string }).cooked
  return undefined
}

const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

test('no text stands in the pages', () => {
  const pages = sources.filter(([file]) => file !== 'parts/icon.tsx')
  assert.deepEqual(
    pages.flatMap(([file, code]) => textsIn(file, code)),
    [],
  )
})

test('a text in a page would be found', () => {
  const code = 'export const A = () => <p title="Shown" className="Not shown">Hello {name}{say(`Saved.`)}</p>'
  assert.deepEqual(textsIn('a.tsx', code), ['a.tsx: Shown', 'a.tsx: Hello', 'a.tsx: Saved.'])
})

test('every key is used', () => {
  const code = sources.map(([, text]) => text).join('\n')
  const unused = Object.keys(en).filter((key) => !new RegExp(`\\bwords\\.${key}\\b`).test(code))
  assert.deepEqual(unused, [])
})

test('languages have the same parameters and the same places to fill', () => {
  for (const [key, word] of Object.entries(en)) {
    const other = de[key as keyof typeof de]
    if (typeof word === 'function') assert.equal((other as typeof word).length, word.length, key)
    if (typeof word === 'string') assert.equal((other as string).split('{}').length, word.split('{}').length, key)
    if (typeof word === 'object') assert.deepEqual(Object.keys(other), Object.keys(word), key)
  }
})

test('plurals follow the language', () => {
  assert.deepEqual([en.documentsCounted(1), en.documentsCounted(2_000)], ['1 document', '2,000 documents'])
  assert.deepEqual([de.documentsCounted(1), de.documentsCounted(2_000)], ['1 Dokument', '2.000 Dokumente'])
})
