// The numbers that Word sets before paragraphs: they are in no text, but people quote them.

import { all, child, childrenOf, type Element } from './xml.ts'

export type Numbered = { list: string; level: number } | { label: string }
export type Numbering = { label(numbered: Numbered): string }

// `pattern`: with the places of the levels' numbers as %1, %2 …
export type Level = { start: number; format: string; pattern: string }
export type Schemes = Map<string, Map<number, Level>>
export type Lists = Map<string, { scheme: string; starts: Map<number, number> }>

export function readNumbering(root: Element): Numbering {
  const schemes = new Map(
    all(root, 'abstractNum').map((scheme) => [scheme.attributes.abstractNumId ?? '', levelsOf(scheme)]),
  )
  const lists = new Map(
    childrenOf(child(root, 'numbering'), 'num').map((list) => [
      list.attributes.numId ?? '',
      { scheme: child(list, 'abstractNumId')?.attributes.val ?? '', starts: overridesOf(list) },
    ]),
  )
  return createNumbering(schemes, lists)
}

export function createNumbering(schemes: Schemes, lists: Lists): Numbering {
  const counts = new Map<string, (number | undefined)[]>()
  return {
    label(numbered) {
      if ('label' in numbered) return numbered.label.slice(0, 60)
      const { list, level } = numbered
      const found = lists.get(list)
      const levels = schemes.get(found?.scheme ?? '')
      const own = levels?.get(level)
      if (!found || !levels || !own) return ''
      // Lists of one scheme count on from each other, unless one starts anew.
      const key = found.starts.size > 0 ? `list ${list}` : found.scheme
      const numbers = counts.get(key) ?? []
      counts.set(key, numbers)
      numbers[level] = (numbers[level] ?? (found.starts.get(level) ?? own.start) - 1) + 1
      numbers.length = level + 1
      if (own.format === 'bullet' || own.format === 'none') return ''
      return own.pattern.replace(/%([1-9])/g, (_all, place) => {
        const at = Number(place) - 1
        const number = numbers[at] ?? levels.get(at)?.start ?? 1
        return written(number, levels.get(at)?.format ?? 'decimal')
      })
    },
  }
}

function levelsOf(scheme: Element): Map<number, Level> {
  return new Map(
    childrenOf(scheme, 'lvl').map((level) => [
      Number(level.attributes.ilvl ?? 0),
      {
        start: Number(child(level, 'start')?.attributes.val ?? 1),
        format: child(level, 'numFmt')?.attributes.val ?? 'decimal',
        pattern: (child(level, 'lvlText')?.attributes.val ?? '').slice(0, 60),
      },
    ]),
  )
}

function overridesOf(list: Element): Map<number, number> {
  return new Map(
    childrenOf(list, 'lvlOverride').flatMap((override): [number, number][] => {
      const start = child(override, 'startOverride')?.attributes.val
      return start === undefined ? [] : [[Number(override.attributes.ilvl ?? 0), Number(start)]]
    }),
  )
}

function written(number: number, format: string): string {
  if (format === 'lowerLetter') return letters(number)
  if (format === 'upperLetter') return letters(number).toUpperCase()
  if (format === 'lowerRoman') return roman(number)
  if (format === 'upperRoman') return roman(number).toUpperCase()
  return format === 'decimalZero' ? String(number).padStart(2, '0') : String(number)
}

// a … z, then aa, bb …
function letters(number: number): string {
  if (number < 1 || number > 26 * 20) return String(number)
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}

const romans: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function roman(number: number): string {
  if (number < 1 || number > 4_000) return String(number)
  let [left, text] = [number, '']
  for (const [value, sign] of romans)
    while (left >= value) {
      text += sign
      left -= value
    }
  return text
}
