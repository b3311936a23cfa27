// What stands above a Markdown note about it: title, dates, tags, other names. The plain part of YAML, line by line.

import { timeOf } from '../json.ts'

export type Matter = { title: string; time: Date | null; tags: string[]; aliases: string[]; body: string }

const LINES = 400
const VALUES = 64
const VALUE_CHARACTERS = 1_000
const DATES = ['date', 'created', 'created_at', 'created at', 'date created', 'creation_date', 'createdat', 'published']

export function readMatter(text: string): Matter {
  const lines = text.split('\n', LINES)
  const isEnd = (line: string) => /^(?:---|\.\.\.)\s{0,20}$/.test(line)
  const end = /^\ufeff?---\s{0,20}$/.test(lines[0] ?? '') ? lines.findIndex((line, at) => at > 0 && isEnd(line)) : -1
  if (end < 0) return { title: '', time: null, tags: [], aliases: [], body: text }
  const values = valuesIn(lines.slice(1, end))
  const one = (key: string): string => values.get(key)?.[0] ?? ''
  return {
    title: one('title'),
    time: DATES.map((key) => timeOf(one(key))).find((time) => time !== null) ?? null,
    tags: [...(values.get('tags') ?? []), ...(values.get('tag') ?? [])].map((tag) => tag.replace(/^#/, '')),
    aliases: [...(values.get('aliases') ?? []), ...(values.get('alias') ?? [])],
    body: text.slice(lines.slice(0, end + 1).reduce((length, line) => length + line.length + 1, 0)),
  }
}

// "key: value", "key: [one, two]", "key:" with "- one" below it.
function valuesIn(lines: string[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  let list: string[] = []
  for (const raw of lines) {
    const line = raw.slice(0, VALUE_CHARACTERS).trim()
    const colon = line.indexOf(':')
    if (line.startsWith('- ')) {
      if (list.length < VALUES) list.push(unquoted(line.slice(2)))
    } else if (colon > 0 && !/^\s/.test(raw)) {
      list = listIn(line.slice(colon + 1).trim(), line.slice(0, colon).trim().toLowerCase())
      values.set(line.slice(0, colon).trim().toLowerCase(), list)
    }
  }
  return values
}

function listIn(value: string, key: string): string[] {
  if (value === '') return []
  const isList = value.startsWith('[') && value.endsWith(']') && !value.startsWith('[[')
  if (isList) return value.slice(1, -1).split(',', VALUES).map(unquoted).filter(Boolean)
  if (/^(?:tags?|alias(?:es)?)$/.test(key)) return value.split(',', VALUES).map(unquoted).filter(Boolean)
  return [unquoted(value)]
}

const unquoted = (value: string): string => value.trim().replace(/^["']/, '').replace(/["']$/, '').trim()
