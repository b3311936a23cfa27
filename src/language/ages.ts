// Ages: asked for in words that no birth is told in, and worked out from one.
import { askedLast } from './follow-ups.ts'
import { limits } from './limits.ts'

// The question for the birth, of whom (null where no name or word says it), and the year in which the age is asked for
// (null for now).
export type AskedAge = { birth: string; of: string | null; year: number | null }

const ENDS = '[?.! ]*$'
const NOW = new RegExp(
  "^(?:and |so )?(?:how old (?:are|is|am) ([^?.!,]{1,60}?)|what(?:['’]?s| is) (your|my|[^?.!,]{1,60}['’]s) age)" +
    `(?: now| today| again)?${ENDS}`,
  'i',
)
const THEN = new RegExp(
  '^(?:and |so )?how old (?:were|was|did|do|does|will) (\\p{L}[^?.!,]{0,40}?)' +
    '(?: (?:turn|get|be|become))?(?: on (?:your|my|his|her|their|the) birthday)? in ((?:19|20)\\d\\d)' +
    ENDS,
  'iu',
)
const OF_PRONOUN: Record<string, string> = {
  your: 'were you',
  my: 'was I',
  you: 'were you',
  u: 'were you',
  i: 'was I',
  he: 'was he',
  she: 'was she',
  it: 'was it',
  they: 'were they',
}

export function ageAsked(asked: string): AskedAge | null {
  const text = asked.slice(0, limits.patternCharacters).trim()
  const [, subject, owner] = NOW.exec(text) ?? []
  const [, then, year] = THEN.exec(text) ?? []
  const whose = subject ?? owner ?? then
  if (whose === undefined) return null
  return { ...birthOf(whose), year: year === undefined ? null : Number(year) }
}

function birthOf(whose: string): Pick<AskedAge, 'birth' | 'of'> {
  const spoken = OF_PRONOUN[whose.toLowerCase()]
  const of = spoken ? null : whose.replace(/['’]s$/, '')
  return { birth: `when ${spoken ?? `was ${of}`} born?`, of }
}

// "How old were you when you married?"
export type AgeThen = Pick<AskedAge, 'birth' | 'of'> & { event: string }

const WHEN = /^(?:and |so )?how old (?:was|were) (\p{L}[^?.!,]{0,40}?) when (\p{L}[^?!]*)(?:[?!].{0,40})?$/iu

export function ageThenAsked(asked: string): AgeThen | null {
  const [, whose, event] = WHEN.exec(asked.slice(0, limits.patternCharacters).trim()) ?? []
  return whose && event ? { ...birthOf(whose), event: event.trimEnd() } : null
}

// Whether a question, whatever stands before it, is for an age.
export const asksForAge = (question: string): boolean => /\bhow old\b|\bage\b/i.test(askedLast(question))

const BIRTH = /\bborn\b|\b(?:birth|birthday|b\.)[^.!?]{0,40}\b(?:1[89]|20)\d\d\b/i

// Whether a sentence says when somebody was born.
export const tellsBirth = (sentence: string): boolean => BIRTH.test(sentence)

// Of a sentence the part from the birth on: other dates may stand before it.
export const fromBirthOn = (sentence: string): string => sentence.slice(BIRTH.exec(sentence)?.index ?? 0)

// How old whoever was born then is: exactly where the day is known.
export function ageAt({ at, isDay }: { at: Date; isDay: boolean }, now: Date, year: number | null): string | null {
  const years = (year ?? now.getUTCFullYear()) - at.getUTCFullYear()
  if (years <= 0) return null
  if (year !== null) return `${years} in ${year}`
  if (!isDay) return `${years - 1} or ${years}`
  const isBefore =
    [now.getUTCMonth() - at.getUTCMonth(), now.getUTCDate() - at.getUTCDate()].find((by) => by !== 0)! < 0
  return String(isBefore ? years - 1 : years)
}
