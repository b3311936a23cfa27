// What a Word document's paragraphs are, by their styles: headings, list items, entries of the contents, or hidden.

import type { Numbered } from './numbering.ts'
import { all, child, type Element } from './xml.ts'

export type Look = { level: number | null; listed: boolean; isContents: boolean; numbered: Numbered | null }
export type Styles = { of(paragraph: Element): Look; hides(run: Element, paragraph: Element): boolean }

type Style = Look & { isHidden: boolean | null }

const plain: Style = { level: null, listed: false, isContents: false, numbered: null, isHidden: null }

export function readStyles(root: Element): Styles {
  const styles = new Map<string, Style & { base: string | null }>()
  for (const style of all(root, 'style')) {
    const name = child(style, 'name')?.attributes.val ?? ''
    const properties = child(style, 'pPr')
    styles.set(style.attributes.styleId ?? '', {
      base: child(style, 'basedOn')?.attributes.val ?? null,
      level: levelByName(name) ?? outlineLevel(properties),
      listed: listOf(properties) !== undefined || /^list (bullet|number|paragraph)/i.test(name),
      isContents: isContentsName(name),
      numbered: numberedBy(properties),
      isHidden: hiddenBy(child(style, 'rPr')),
    })
  }
  const look = (id: string | undefined, depth = 0): Style => {
    const style = styles.get(id ?? '')
    if (!style) {
      const name = (id ?? '').replace(/(\d)$/, ' $1')
      return { ...plain, level: levelByName(name), isContents: isContentsName(name) }
    }
    const base = style.base && depth < 12 ? look(style.base, depth + 1) : plain
    return {
      level: style.level ?? base.level,
      listed: style.listed || base.listed,
      isContents: style.isContents || base.isContents,
      numbered: style.numbered ?? base.numbered,
      isHidden: style.isHidden ?? base.isHidden,
    }
  }
  const styleOf = (paragraph: Element) => look(child(child(paragraph, 'pPr'), 'pStyle')?.attributes.val)
  return {
    of(paragraph) {
      const properties = child(paragraph, 'pPr')
      const styled = styleOf(paragraph)
      return {
        level: outlineLevel(properties) ?? styled.level,
        listed: styled.listed || listOf(properties) !== undefined,
        isContents: styled.isContents,
        numbered: numberedBy(properties) ?? styled.numbered,
      }
    },
    hides(run, paragraph) {
      const properties = child(run, 'rPr')
      const named = look(child(properties, 'rStyle')?.attributes.val).isHidden
      return hiddenBy(properties) ?? named ?? styleOf(paragraph).isHidden ?? false
    },
  }
}

function hiddenBy(properties: Element | undefined): boolean | null {
  const mark = child(properties, 'vanish')
  return mark ? !/^(?:0|false|off)$/.test(mark.attributes.val ?? '') : null
}

const isContentsName = (name: string): boolean => /^toc (?:heading|\d)$/i.test(name.trim())

function levelByName(name: string): number | null {
  const found =
    /^\s*(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|заголовок|标题|見出し)\s*(\d)\s*$/i.exec(name)
  if (found) return Number(found[1])
  return /^title$/i.test(name.trim()) ? 1 : null
}

// Word 2003 writes the label itself beside the list.
const listOf = (properties: Element | undefined): Element | undefined =>
  child(properties, 'numPr') ?? child(properties, 'listPr')

function numberedBy(properties: Element | undefined): Numbered | null {
  const found = listOf(properties)
  const label = child(found, 't')?.attributes.val
  if (label !== undefined) return { label }
  const list = child(found, 'numId')?.attributes.val
  return list === undefined ? null : { list, level: Number(child(found, 'ilvl')?.attributes.val ?? 0) }
}

function outlineLevel(properties: Element | undefined): number | null {
  const value = child(properties, 'outlineLvl')?.attributes.val
  // Nine levels, and a tenth that means body text.
  return value !== undefined && Number(value) < 9 ? Math.min(6, Number(value) + 1) : null
}
