// The text of one Word paragraph, with what hangs on it: text boxes, notes and references to them, page breaks.

import { child, childrenOf, type Element, textIn } from './xml.ts'

export type ParagraphText = {
  text: string
  boxes: Element[]
  references: { kind: 'footnote' | 'endnote' | 'comment'; id: string }[]
  pageBreaks: number
}

const unread = new Set(['instrText', 'delText', 'delInstrText', 'rPr', 'pPr', 'tblPr', 'fldData'])

type Hides = (run: Element) => boolean

export function paragraphText(paragraph: Element, hides: Hides): ParagraphText {
  const found: ParagraphText = { text: '', boxes: [], references: [], pageBreaks: 0 }
  visit(paragraph, found, hides)
  return found
}

// By a change that is marked; Word 2003 marks it in another way.
export function isDeleted({ name, attributes }: Element): boolean {
  return (
    name === 'del' ||
    name === 'moveFrom' ||
    (name === 'annotation' && /^Word\.(?:Deletion|Move$)/.test(attributes.type ?? ''))
  )
}

function visit(element: Element, found: ParagraphText, hides: Hides): void {
  for (const inner of childrenOf(element)) {
    const { name, attributes } = inner
    if (unread.has(name) || isDeleted(inner) || (name === 'r' && hides(inner))) continue
    if (name === 't') found.text += textIn(inner)
    else if (name === 'tab' || name === 'ptab') found.text += '\t'
    else if (name === 'br' || name === 'cr') {
      if (attributes.type !== 'page') found.text += '\n'
    } else if (name === 'lastRenderedPageBreak') found.pageBreaks++
    else if (name === 'noBreakHyphen') found.text += '-'
    else if (name === 'sym') found.text += symbol(attributes.char)
    else if (name === 'footnoteReference') found.references.push({ kind: 'footnote', id: attributes.id ?? '' })
    else if (name === 'endnoteReference') found.references.push({ kind: 'endnote', id: attributes.id ?? '' })
    else if (name === 'commentReference') found.references.push({ kind: 'comment', id: attributes.id ?? '' })
    else if (name === 'ruby') found.text += rubyText(inner, hides)
    else if (isBox(inner)) found.boxes.push(inner)
    else if (name === 'AlternateContent')
      visit(child(inner, 'Choice') ?? child(inner, 'Fallback') ?? inner, found, hides)
    else if (name === 'textpath') found.text += attributes.string ?? ''
    else if (name === 'docPr' || name === 'cNvPr') found.text += description(attributes, found.text)
    else if (name === 'checkBox') found.text += checkMark(inner)
    else visit(inner, found, hides)
  }
}

// Word 2003 keeps notes and comments inside the run that speaks of them.
function isBox({ name, attributes }: Element): boolean {
  if (name === 'txbxContent' || name === 'footnote' || name === 'endnote') return true
  return name === 'annotation' && attributes.type === 'Word.Comment'
}

// How the characters are read stands above them in small letters; in text, behind them.
function rubyText(ruby: Element, hides: Hides): string {
  const [base, reading] = [child(ruby, 'rubyBase'), child(ruby, 'rt')].map((part) =>
    part ? paragraphText(part, hides).text : '',
  )
  return reading ? `${base} (${reading})` : (base ?? '')
}

// What a picture shows, where its author said so.
function description(attributes: Record<string, string>, before: string): string {
  const words = attributes.descr?.trim()
  if (!words || /\.(png|jpe?g|gif|bmp|tiff?|emf|wmf)$|^https?:|^[a-z]:\\/i.test(words)) return ''
  return before && !/\s$/.test(before) ? ` ${words} ` : `${words} `
}

function checkMark(box: Element): string {
  const state = child(box, 'checked') ?? child(box, 'default')
  if (!state) return ''
  return /^(0|false|off)$/.test(state.attributes.val ?? '1') ? '☐' : '☒'
}

// Symbol fonts live in the private area; the lower byte is the letter of the font.
function symbol(code: string | undefined): string {
  const value = Number.parseInt(code ?? '', 16)
  if (Number.isNaN(value)) return ''
  return value >= 0xf000 && value <= 0xf0ff ? String.fromCharCode(value - 0xf000) : String.fromCharCode(value)
}
