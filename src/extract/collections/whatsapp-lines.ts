// The lines of a WhatsApp chat, as phones of many countries write them: a date, a time, a name, the words.

export type Head = {
  shape: string // of the stamp: all of one chat have the same
  date: [number, number, number]
  minutes: number
  seconds: number
  half: string
  rest: string // with the marks by which the program sets off what it wrote itself
}

// "[03/05/2024, 14:22:01] Ana: …", "5/3/24, 2:22 PM - Ana: …", "03.05.24, 14:22 - Ana: …", "2024/05/03 14:22 - Ana: …"
const day = /^\[?(\d{1,4})([./-])\s?(\d{1,2})[./-]\s?(\d{1,4})\.?,?\s/
const clock = /^(?:at |um |à |a las |às )?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?/
const half = /^\s?([ap])\.?\s?m\.?/i
const end = /^(?:\]\s?|\s[-–]\s)/

const MARKS = /[\u200e\u200f\u202a-\u202e\ufeff]/g

export const withoutMarks = (text: string): string => text.replace(MARKS, '')

export function headOf(text: string): Head | null {
  if (!/^[[\u200e\u200f\ufeff]{0,9}\d/.test(text)) return null
  const bare = withoutMarks(text).replace(/[\u202f\u00a0]/g, ' ')
  let rest = bare
  const take = (part: RegExp) => {
    const found = part.exec(rest)
    if (found) rest = rest.slice(found[0].length)
    return found
  }
  const isBracketed = rest.startsWith('[')
  const date = take(day)
  const time = date && take(clock)
  const noon = time && take(half)
  if (!date || !time || !take(end)) return null
  return {
    shape: `${isBracketed} ${date[2]} ${date[1]!.length === 4}`,
    date: [Number(date[1]), Number(date[3]), Number(date[4])],
    minutes: Number(time[1]) * 60 + Number(time[2]),
    seconds: Number(time[3] ?? 0),
    half: noon?.[1]?.toLowerCase() ?? '',
    rest: after(text, bare.length - rest.length),
  }
}

// What follows so many characters, marks not counted.
function after(text: string, characters: number): string {
  let at = 0
  for (let left = characters; left > 0; at++) if (withoutMarks(text[at]!)) left--
  return text.slice(at)
}

export type Order = 'ymd' | 'dmy' | 'mdy'

// The order of the numbers of a date: a number above twelve is a day, and a chat goes forward in time. Where both are
// possible, the month comes first in countries with AM and PM only.
export function createOrderFinder() {
  const isPossible = { dmy: true, mdy: true }
  const backward = { dmy: 0, mdy: 0 }
  const last = { dmy: 0, mdy: 0 }
  let [isYearFirst, hasHalves] = [false, false]
  return {
    see({ date, half, minutes }: Head): void {
      const [first, second, third] = date
      if (first > 31) isYearFirst = true
      if (half) hasHalves = true
      if (first > 12) isPossible.mdy = false
      if (second > 12) isPossible.dmy = false
      for (const [order, month, day] of [
        ['dmy', second, first],
        ['mdy', first, second],
      ] as const) {
        const at = ((third * 12 + month) * 31 + day) * 1440 + minutes
        if (at < last[order]) backward[order]++
        last[order] = at
      }
    },
    order(): Order {
      if (isYearFirst) return 'ymd'
      if (isPossible.dmy !== isPossible.mdy) return isPossible.dmy ? 'dmy' : 'mdy'
      if (backward.dmy !== backward.mdy) return backward.dmy < backward.mdy ? 'dmy' : 'mdy'
      return hasHalves ? 'mdy' : 'dmy'
    },
  }
}

// Without a zone: the phone's own clock. Null for a date that there is not.
export function timeOf({ date, minutes, seconds, half }: Head, order: Order): Date | null {
  const [first, second, third] = date
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second]
  const inHalf = half ? (minutes % 720) + (half === 'p' ? 720 : 0) : minutes
  const time = new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, 0, inHalf, seconds))
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && time.getUTCFullYear() < 2200 ? time : null
}
