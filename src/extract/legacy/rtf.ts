// RTF: control words between braces; text in the code page of its font, or as numbers.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { limits } from '../limits.ts'
import { progressed } from '../progress.ts'
import { charsets, codePageLabel, skipped, spelled } from './rtf-words.ts'

type Group = {
  skip: boolean
  target: 'body' | 'fonts' | 'title' | 'author' | 'created'
  font: number
  fallback: number
  hidden: boolean
}

export function readRtf({ bytes }: Content): Extracted {
  return fromRtf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
}

export function fromRtf(source: string): Extracted {
  const composer = createComposer()
  const stack: Group[] = []
  let group: Group = { skip: false, target: 'body', font: 0, fallback: 1, hidden: false }
  let codePage = 1252
  const fonts = new Map<number, number>()
  const facts = { title: '', author: '', created: [0, 0, 0, 0, 0] }
  let [line, pending, level, inRow] = ['', '', 0, false]
  let cells: string[] = []

  const decoded = () => {
    if (!pending) return
    const label = codePageLabel(fonts.get(group.font) ?? codePage)
    append(new TextDecoder(label).decode(Buffer.from(pending, 'latin1')))
    pending = ''
  }
  const append = (text: string) => {
    if (group.skip || group.hidden) return
    if (group.target === 'body') line += text
    else if (group.target === 'title' || group.target === 'author') facts[group.target] += text
  }
  const endParagraph = () => {
    decoded()
    if (inRow && cells.length > 0) {
      line += ' '
      return
    }
    if (level > 0) composer.heading(level, line)
    else composer.paragraph(line)
    line = ''
  }

  const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\(.|\n|\r)|([{}])|[\r\n]+|([^\\{}\r\n]+)/gisy
  let found = token.exec(source)
  for (; found; found = token.exec(source)) {
    const [, word, parameter, hex, symbol, brace, text] = found
    const number = parameter === undefined ? null : Number(parameter)
    if (text !== undefined) {
      decoded()
      append(
        text.replace(/[^\x20-\x7e]+/g, (raw) =>
          new TextDecoder(codePageLabel(fonts.get(group.font) ?? codePage)).decode(Buffer.from(raw, 'latin1')),
        ),
      )
    } else if (hex !== undefined) pending += String.fromCharCode(Number.parseInt(hex, 16))
    else if (brace === '{') {
      decoded()
      if (stack.length > limits.extractDepth * 4) throw new AppError('unreadable', 'The RTF file is nested too deep.')
      stack.push(group)
      group = { ...group }
    } else if (brace === '}') {
      decoded()
      group = stack.pop() ?? group
    } else if (symbol !== undefined) {
      decoded()
      if (symbol === '*')
        group.skip ||= !/^\\(?:shptxt|shpinst|annotation|footnote)/.test(
          source.slice(token.lastIndex, token.lastIndex + 16),
        )
      else if (symbol === '~') append(' ')
      else if (symbol === '_') append('-')
      else if (symbol === '\n' || symbol === '\r') endParagraph()
      else if (/[\\{}]/.test(symbol)) append(symbol)
    } else if (word !== undefined) {
      progressed(token.lastIndex / source.length)
      if (word === 'bin' && number !== null) {
        token.lastIndex += Math.max(0, number)
        continue
      }
      if (word === 'u' && number !== null) {
        decoded()
        append(String.fromCharCode(number < 0 ? number + 65_536 : number))
        token.lastIndex = afterFallback(source, token.lastIndex, group.fallback)
        continue
      }
      decoded()
      if (word === 'ansicpg' && number) codePage = number
      else if (word === 'mac') codePage = 10_000
      else if (word === 'uc') group.fallback = Math.max(0, Math.min(16, number ?? 1))
      else if (word === 'f' && number !== null) group.font = number
      else if (word === 'fcharset' && group.target === 'fonts' && number !== null && charsets[number])
        fonts.set(group.font, charsets[number]!)
      else if (word === 'fonttbl') group.target = 'fonts'
      else if (word === 'title' || word === 'author') group.target = word
      else if (word === 'creatim') group.target = 'created'
      else if (group.target === 'created' && number !== null) {
        const at = ['yr', 'mo', 'dy', 'hr', 'min'].indexOf(word)
        if (at >= 0) facts.created[at] = number
      } else if (skipped.has(word)) group.skip = true
      else if (word === 'v') group.hidden = number !== 0
      else if (word === 'par' || word === 'sect' || word === 'page') endParagraph()
      else if (word === 'pard') [level, inRow] = [0, false]
      else if (word === 'intbl') inRow = true
      else if (word === 'outlinelevel' && number !== null && number < 9) level = number + 1
      else if ((word === 'cell' || word === 'nestcell') && !group.skip) {
        cells.push(line)
        line = ''
      } else if ((word === 'row' || word === 'nestrow') && !group.skip) {
        composer.row(cells)
        cells = []
      } else if (spelled[word] !== undefined) append(spelled[word]!)
    }
  }
  decoded()
  composer.row(cells)
  composer.paragraph(line)
  const [year, month, day, hour, minute] = facts.created
  return composer.finish('rtf', {
    title: facts.title,
    author: facts.author,
    time: year! > 1980 ? new Date(Date.UTC(year!, (month || 1) - 1, day || 1, hour, minute)) : null,
  })
}

// After a numbered character come the letters for programs that do not know it.
function afterFallback(source: string, at: number, count: number): number {
  let next = at
  for (let left = count; left > 0 && next < source.length; left--) {
    const found = /^(?:\\'[0-9a-f]{2}|\\[a-z]+-?\d* ?|\\.|[^\\{}])/is.exec(source.slice(next, next + 48))
    if (!found) break
    next += found[0].length
  }
  return next
}
