// Finds the sentences of errors where the code throws them, so that the reference cannot miss one.
import { readdirSync, readFileSync } from 'node:fs'

const src = new URL('../../src/', import.meta.url)

// Sentences by error code, each once, sorted. What a template fills in is shown as "…".
export function sentencesInSource(): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || isCommandLine(file)) continue
    const text = readFileSync(new URL(file, src), 'utf8')
    for (const { index } of text.matchAll(/\bnew AppError\(/g)) {
      const [name, ...sentences] = literalsIn(text, index + 'new AppError('.length)
      for (const one of sentences.filter(isSentence)) {
        if (!found.has(name!)) found.set(name!, new Set())
        found.get(name!)!.add(one)
      }
    }
  }
  return new Map([...found].map(([name, sentences]) => [name, [...sentences].sort()]))
}

// What these say is printed by a command, without a status.
const isCommandLine = (file: string): boolean => /^(?:cli\b|contract.client\.ts$|store.move\.ts$)/.test(file)

const isSentence = (text: string): boolean => /\p{L}.* /u.test(text)

// The string literals of a call, from its opening bracket to the closing one. Literals joined by + are one.
export function literalsIn(code: string, start: number): string[] {
  const literals: string[] = []
  let depth = 1
  let between = ''
  for (let at = start; at < code.length && depth > 0; ) {
    const character = code[at]!
    if (code.startsWith('//', at)) at = endOfLine(code, at)
    else if (/['"`]/.test(character)) {
      const { text, end } = literalAt(code, at)
      if (literals.length > 0 && between.trim() === '+') literals.push(literals.pop()! + text)
      else literals.push(text)
      between = ''
      at = end
    } else {
      if (character === '(') depth++
      if (character === ')') depth--
      between += character
      at++
    }
  }
  return literals
}

const endOfLine = (code: string, at: number): number => {
  const end = code.indexOf('\n', at)
  return end < 0 ? code.length : end
}

function literalAt(code: string, start: number): { text: string; end: number } {
  const quote = code[start]
  let text = ''
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === quote) return { text, end: at + 1 }
    if (code[at] === '\\') text += code[++at]
    else if (quote === '`' && code.startsWith('${', at)) {
      text += '…'
      at = endOfBraces(code, at + 2)
    } else text += code[at]
  }
  return { text, end: code.length }
}

// The place of the brace that closes what a template fills in.
function endOfBraces(code: string, start: number): number {
  let at = start
  for (let depth = 1; at < code.length; at++) {
    if (/['"`]/.test(code[at]!)) at = literalAt(code, at).end - 1
    else if (code[at] === '{') depth++
    else if (code[at] === '}' && --depth === 0) return at
  }
  return at
}
