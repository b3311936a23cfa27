// The lines that calendars (RFC 5545) and contacts (vCard 2.1 to 4.0) are written in: NAME;PARAMETER=VALUE:VALUE, with
// long lines folded.

import { limits } from '../../limits.ts'
import { linesOf } from '../lines.ts'
import type { SourceFile } from '../source.ts'

// Names and parameters in capitals; values as they are written. `group`: "item1" of "item1.TEL".
export type Line = { group: string; name: string; parameters: Map<string, string>; value: string }

// BEGIN and END of these stand around what belongs together.
export type Component = { kind: string; lines: Line[]; inner: Component[] }

export async function* contentLines(file: SourceFile): AsyncGenerator<Line> {
  let parts: string[] = []
  let length = 0
  const put = (part: string) => {
    if (length < limits.collectionLineCharacters) parts.push(part)
    length += part.length
  }
  const take = (): Line | null => {
    const line = parseLine(parts.join(''))
    ;[parts, length] = [[], 0]
    return line
  }
  let isSoft = false // the line before ends with "=": quoted-printable goes on in the next one
  for await (const raw of linesOf(file)) {
    const isFolded = parts.length > 0 && /^[ \t]/.test(raw)
    if (isSoft) put(`\n${raw}`)
    else if (isFolded) put(raw.slice(1))
    else {
      const line = take()
      if (line) yield line
      put(raw)
    }
    isSoft = raw.endsWith('=') && /^[^:]{0,200}QUOTED-PRINTABLE/i.test(parts[0]!.slice(0, 300))
  }
  const last = take()
  if (last) yield last
}

// Whole components of these kinds, one at a time; deeper ones inside them.
export async function* componentsIn(file: SourceFile, kinds: readonly string[]): AsyncGenerator<Component | Line> {
  const open: Component[] = []
  let [held, tooDeep] = [0, 0]
  for await (const line of contentLines(file)) {
    const kind = line.value.trim().toUpperCase()
    if (line.name === 'BEGIN' && (open.length > 0 || kinds.includes(kind))) {
      if (open.length >= limits.collectionDepth || held >= LINES) tooDeep++
      else {
        const component = { kind, lines: [], inner: [] }
        open.at(-1)?.inner.push(component)
        held = open.push(component) === 1 ? 0 : held + 1
      }
    } else if (line.name === 'END' && open.length > 0) {
      if (tooDeep > 0) tooDeep--
      else {
        const done = open.pop()!
        if (open.length === 0) yield done
      }
    } else if (open.length === 0) yield line
    else if (tooDeep === 0 && held++ < LINES) open.at(-1)!.lines.push(line)
  }
}

const LINES = 5_000 // of one component; what is more is no event and no contact

export const isComponent = (one: Component | Line): one is Component => 'inner' in one

export const lineOf = ({ lines }: Component, name: string): Line | undefined => lines.find((line) => line.name === name)
export const linesNamed = ({ lines }: Component, name: string): Line[] => lines.filter((line) => line.name === name)
export const wordsOf = (component: Component, name: string): string =>
  plain(lineOf(component, name)?.value ?? '').trim()

function parseLine(text: string): Line | null {
  const parts = splitOutside(text, ':', 1)
  if (parts.length < 2) return null
  const [head = '', ...given] = splitOutside(parts[0]!, ';')
  const dot = head.indexOf('.')
  const parameters = new Map<string, string>()
  for (const one of given) {
    const at = one.indexOf('=')
    // vCard 2.1 writes a type or an encoding without its name.
    const name = at < 0 ? (/^(?:quoted-printable|base64|b)$/i.test(one) ? 'ENCODING' : 'TYPE') : one.slice(0, at)
    const value = one.slice(at + 1).replaceAll('"', '')
    const before = parameters.get(name.toUpperCase())
    parameters.set(name.toUpperCase(), before ? `${before},${value}` : value)
  }
  const line = {
    group: head.slice(0, Math.max(0, dot)),
    name: head
      .slice(dot + 1)
      .toUpperCase()
      .trim(),
    parameters,
  }
  return { ...line, value: decoded(parts[1]!, parameters) }
}

// At marks that do not stand in quotes.
function splitOutside(text: string, mark: string, times = 64): string[] {
  const parts: string[] = []
  let [start, isQuoted] = [0, false]
  for (let at = 0; at < text.length && parts.length < times; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === mark && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

function decoded(value: string, parameters: Map<string, string>): string {
  if (!/quoted-printable/i.test(parameters.get('ENCODING') ?? '')) return value
  const soft = value.replaceAll('=\n', '').replaceAll('\n', '')
  const parts: Buffer[] = []
  for (const part of soft.split('=')) {
    const code = parts.length === 0 ? Number.NaN : Number.parseInt(part.slice(0, 2), 16)
    parts.push(Number.isNaN(code) ? Buffer.from(part) : Buffer.concat([Buffer.of(code), Buffer.from(part.slice(2))]))
  }
  const bytes = Buffer.concat(parts)
  try {
    return new TextDecoder(parameters.get('CHARSET') ?? 'utf-8').decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

// "\n", "\,", "\;" and "\\" as what they stand for.
export const plain = (value: string): string =>
  value.replace(/\\([nN,;\\])/g, (_, letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter))

// The parts of a value such as a name or an address.
export function partsOf(value: string, mark: ';' | ',' = ';'): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\') at++
    else if (value[at] === mark) {
      parts.push(value.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, value.slice(start)].map((part) => plain(part).trim())
}
