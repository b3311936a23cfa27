// The number of a page, as it stands at the head or foot of it.

export type Badge = { number: number; isSure: boolean }

const pageWords = 'page|pg|seite|blatt|página|pagina|pág|side|sida|strona|страница|стр|sayfa'

const badge = new RegExp(
  `^(${pageWords})?(\\d{1,5})((?:of|von|de|di|du|sur|van|av|af|z|из|\\/)\\d{1,5})?(${pageWords})?$`,
)

// "Page 3 of 10", "– 3 –", "3 | P a g e" and nothing else. A number alone may be something else.
export function pageBadge(text: string): Badge | null {
  if (text.length > 40) return null
  const squeezed = text.replace(/[\s|\-–—()[\]<>·•.:,]/g, '').toLowerCase()
  const [, before, number, whole, after] = badge.exec(squeezed) ?? []
  return number === undefined ? null : { number: Number(number), isSure: Boolean(before ?? whole ?? after) }
}
