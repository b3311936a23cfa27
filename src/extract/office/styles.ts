// Which of a Word document's paragraphs are headings, and which are list items, by their styles.

import type { Numbered } from './numbering.ts'
import { all, child, type Element } from './xml.ts'

export type Look = { level: number | null; listed: boolean; numbered: Numbered | null }
export type Styles = { of(paragraph: Element): Look }

type Style = Look & { base: string | null }

export function readStyles(root: Element): Styles {
  const styles = new Map<string, Style>()
  for (const style of all(root, 'style')) {
    const name = child(style, 'name')?.attributes.val ?? ''
    const properties = child(style, 'pPr')
    styles.set(style.attributes.styleId ?? '', {
      base: child(style, 'basedOn')?.attributes.val ?? null,
      level: levelByName(name) ?? outlineLevel(properties),
      listed: child(properties, 'numPr') !== undefined || /^list (bullet|number|paragraph)/i.test(name),
      numbered: numberedBy(properties),
    })
  }
  const look = (id: string | undefined, depth = 0): Look => {
    const style = styles.get(id ?? '')
    if (!style) return { level: levelByName((id ?? '').replace(/(\d)$/, ' $1')), listed: false, numbered: null }
    const base = style.base && depth < 12 ? look(style.base, depth + 1) : { level: null, listed: false, numbered: null }
    return {
      level: style.level ?? base.level,
      listed: style.listed || base.listed,
      numbered: style.numbered ?? base.numbered,
    }
  }
  return {
    of(paragraph) {
      const properties = child(paragraph, 'pPr')
      const styled = look(child(properties, 'pStyle')?.attributes.val)
      return {
        level: outlineLevel(properties) ?? styled.level,
        listed: styled.listed || child(properties, 'numPr') !== undefined,
        numbered: numberedBy(properties) ?? styled.numbered,
      }
    },
  }
}

function levelByName(name: string): number | null {
  const found =
    /^\s*(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|заголовок|标题|見出し)\s*(\d)\s*$/i.exec(name)
  if (found) return Number(found[1])
  return /^title$/i.test(name.trim()) ? 1 : null
}

function numberedBy(properties: Element | undefined): Numbered | null {
  const found = child(properties, 'numPr')
  const list = child(found, 'numId')?.attributes.val
  return list === undefined ? null : { list, level: Number(child(found, 'ilvl')?.attributes.val ?? 0) }
}

function outlineLevel(properties: Element | undefined): number | null {
  const value = child(properties, 'outlineLvl')?.attributes.val
  // Nine levels, and a tenth that means body text.
  return value !== undefined && Number(value) < 9 ? Math.min(6, Number(value) + 1) : null
}
