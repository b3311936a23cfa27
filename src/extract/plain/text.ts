// Plain text and Markdown: the text stays exactly as it is written; only its structure is found.

import type { Block, Content, Extracted } from '../../ports/extractor.ts'
import { tooMuchText } from '../composer.ts'
import { charsetOf, decodeText } from '../encoding.ts'
import { limits } from '../limits.ts'
import { chatTurns } from './chat.ts'
import { headingWords } from './heading.ts'
import { type Line, linesOf } from './lines.ts'
import { findTurns } from './turns.ts'

export function readText({ bytes, mediaType }: Content): Extracted {
  return fromText(decodeText(bytes, charsetOf(mediaType)))
}

export function fromText(text: string): Extracted {
  if (text.length > limits.extractCharacters) throw tooMuchText()
  const lines = linesOf(text)
  const matter = frontMatter(text)
  const blocks = chatTurns(text, lines) ?? findTurns(text, lines) ?? outline(text, lines, matter.end)
  const first = blocks.find((block) => block.kind === 'heading' && block.level === 1)
  return {
    kind: looksLikeMarkdown(text) ? 'markdown' : 'text',
    title: matter.title ?? (first ? headingText(text, first) : null),
    author: matter.author,
    time: matter.time,
    text,
    blocks,
  }
}

export function looksLikeMarkdown(text: string): boolean {
  const sample = text.slice(0, 20_000)
  const signs = [
    /^#{1,6} \S/m,
    /^(```|~~~)/m,
    /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/,
    /^ {0,3}[-*+] \S/m,
    /\*\*[^*\n]{1,200}\*\*/,
  ]
  return signs.filter((sign) => sign.test(sample)).length >= 2 || /^#{1,6} \S/.test(sample)
}

// One pass over the lines: headings (# and underlined), fences, tables, list items, paragraphs between blank lines.
function outline(text: string, lines: Line[], from: number): Block[] {
  const blocks: Block[] = []
  let paragraph: Line | null = null
  let fence: { mark: string; start: number } | null = null

  function close(): void {
    if (paragraph) push('paragraph', paragraph.start, paragraph.end)
    paragraph = null
  }
  function push(kind: Block['kind'], start: number, end: number, level?: number): void {
    const trimmed = trimRange(text, start, end)
    if (trimmed.end > trimmed.start) blocks.push({ kind, ...trimmed, ...(level ? { level } : {}) })
  }

  for (const [index, line] of lines.entries()) {
    if (line.start < from) continue
    const content = text.slice(line.start, Math.min(line.end, line.start + 2_000))
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1]
    if (fence) {
      if (mark?.startsWith(fence.mark)) {
        push('code', fence.start, line.end)
        fence = null
      }
      continue
    }
    if (mark) {
      close()
      fence = { mark, start: line.start }
      continue
    }
    if (!content.trim()) {
      close()
      continue
    }
    const hashes = /^ {0,3}(#{1,6})\s+\S/.exec(content)?.[1]
    if (hashes) {
      close()
      push('heading', line.start, line.end, hashes.length)
      continue
    }
    const underline = /^ {0,3}(=+|-+)\s*$/.exec(content)?.[1]
    if (
      underline &&
      underline.length >= 3 &&
      paragraph &&
      isOneLine(text, paragraph) &&
      lines[index - 1]?.end === paragraph.end
    ) {
      const { start } = paragraph
      paragraph = null
      push('heading', start, line.end, underline[0] === '=' ? 1 : 2)
      continue
    }
    if (/^\s*\|.*\|\s*$/.test(content)) {
      close()
      push('row', line.start, line.end)
      continue
    }
    if (/^\s*(?:[-*+•‣◦]|\d{1,3}[.)])\s+\S/.test(content)) {
      close()
      push('item', line.start, line.end)
      continue
    }
    // An indented line goes on with the item above it.
    const last = blocks.at(-1)
    if (!paragraph && last?.kind === 'item' && /^\s{2,}/.test(content) && lines[index - 1]?.end === last.end) {
      last.end = trimRange(text, last.start, line.end).end
      continue
    }
    paragraph = { start: paragraph ? (paragraph as Line).start : line.start, end: line.end }
  }
  if (fence) push('code', fence.start, text.length)
  close()
  return blocks
}

export function trimRange(text: string, start: number, end: number): Line {
  let from = start
  let to = end
  while (from < to && /\s/.test(text[from]!)) from++
  while (to > from && /\s/.test(text[to - 1]!)) to--
  return { start: from, end: to }
}

function isOneLine(text: string, range: Line): boolean {
  return range.end - range.start < 200 && !text.slice(range.start, range.end).includes('\n')
}

function headingText(text: string, block: Block): string {
  return headingWords(text.slice(block.start, block.end)).slice(0, limits.titleCharacters)
}

type Matter = { end: number; title: string | null; author: string | null; time: Date | null }

const MATTER_CHARACTERS = 20_000

// YAML front matter: only the plain keys that say what a document is.
function frontMatter(text: string): Matter {
  const head = text.slice(0, MATTER_CHARACTERS)
  const begun = /^\ufeff?---\r?\n/.exec(head)
  const ended = begun && /\n---[ \t]{0,20}\r?(?:\n|$)/.exec(head.slice(begun[0].length - 1))
  if (!ended) return { end: 0, title: null, author: null, time: null }
  const lines = head.slice(begun[0].length, begun[0].length - 1 + ended.index).split('\n')
  const value = (key: string) => {
    const line = lines.find((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase() === key)
    const words = line?.slice(line.indexOf(':') + 1).trim()
    return words?.replace(/^["']|["']$/g, '').slice(0, limits.titleCharacters) || null
  }
  const date = new Date(value('date') ?? value('published') ?? Number.NaN)
  return {
    end: begun[0].length - 1 + ended.index + ended[0].length,
    title: value('title'),
    author: value('author'),
    time: Number.isNaN(date.getTime()) ? null : date,
  }
}
