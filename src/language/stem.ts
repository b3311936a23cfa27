// Porter's stemmer (1980): cuts English endings, so that "painted" and "painting" meet.

const C = '(?:[^aeiouy]|(?<![^aeiou])y|^y)' // a consonant; y is one at the start and after a vowel
const V = '(?:[aeiou]|(?<=[^aeiou])y)'
const atLeastOnce = new RegExp(`^(?:${C})*${V}+${C}`)
const exactlyOnce = new RegExp(`^(?:${C})*(?:${V})+(?:${C})+(?:${V})*$`)
const atLeastTwice = new RegExp(`^(?:${C})*(?:${V})+(?:${C})+(?:${V})+(?:${C})`)
const hasVowel = new RegExp(V)
const endsDouble = /([^aeiouylsz])\1$/
const endsShort = new RegExp(`(?:${C})(?:[aeiouy])[^aeiouwxy]$`)

const MOST_CACHED = 50_000
const cache = new Map<string, string>()

export function stem(word: string): string {
  const known = cache.get(word)
  if (known !== undefined) return known
  // Numbers and other scripts have no English endings.
  const stemmed = word.length > 2 && word.length < 40 && /^[a-z]+$/.test(word) ? cut(word) : word
  if (cache.size >= MOST_CACHED) cache.clear()
  cache.set(word, stemmed)
  return stemmed
}

function cut(word: string): string {
  let w = word
  w = w.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1')
  w = tense(w)
  if (w.endsWith('y') && hasVowel.test(w.slice(0, -1))) w = `${w.slice(0, -1)}i`
  w = swap(w, DERIVED, atLeastOnce)
  w = swap(w, SHORTER, atLeastOnce)
  w = drop(w)
  if (w.endsWith('e')) {
    const rest = w.slice(0, -1)
    if (atLeastTwice.test(rest) || (exactlyOnce.test(rest) && !endsShort.test(rest))) w = rest
  }
  return w.endsWith('ll') && atLeastTwice.test(w.slice(0, -1)) ? w.slice(0, -1) : w
}

function tense(w: string): string {
  if (w.endsWith('eed')) return atLeastOnce.test(w.slice(0, -3)) ? w.slice(0, -1) : w
  const rest = w.endsWith('ed') ? w.slice(0, -2) : w.endsWith('ing') ? w.slice(0, -3) : null
  if (rest === null || !hasVowel.test(rest)) return w
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (endsDouble.test(rest)) return rest.slice(0, -1)
  return exactlyOnce.test(rest) && endsShort.test(rest) ? `${rest}e` : rest
}

function swap(w: string, endings: readonly (readonly [string, string])[], when: RegExp): string {
  const found = endings.find(([ending]) => w.endsWith(ending))
  if (!found) return w
  const rest = w.slice(0, -found[0].length)
  return when.test(rest) ? rest + found[1] : w
}

function drop(w: string): string {
  const ending = DROPPED.find((one) => w.endsWith(one))
  if (!ending) return w
  const rest = w.slice(0, -ending.length)
  return atLeastTwice.test(rest) && (ending !== 'ion' || /[st]$/.test(rest)) ? rest : w
}

const table = (text: string) => text.split(' ').map((entry) => entry.split('>') as [string, string])
const DERIVED = table(
  'ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous ization>ize ' +
    'ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble',
)
const SHORTER = table('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>')
const DROPPED = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou'.split(' ')
