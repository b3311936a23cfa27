// Times and amounts as people read them, in their own language and zone.
import { locale, words } from '../words/words.ts'

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const near = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const figures = new Intl.NumberFormat(locale)

export const dayOf = (time: string): string => day.format(new Date(time))
export const monthOf = (time: string): string => month.format(new Date(time))
export const momentOf = (time: string): string => `${dayOf(time)}, ${minute.format(new Date(time))}`
export const count = (amount: number): string => figures.format(amount)
export const percent = (value: number): string => `${count(Math.round(value))} %`
export const milliseconds = (ms: number): string => `${decimals(ms, ms < 10 ? 1 : 0)} ms`
export const money = (amount: number, currency: string): string =>
  amount.toLocaleString(locale, { style: 'currency', currency, maximumSignificantDigits: amount < 1 ? 2 : 21 })
export const decimals = (value: number, places: number): string =>
  value.toLocaleString(locale, { minimumFractionDigits: places, maximumFractionDigits: places })

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function agoOf(time: string, now = Date.now()): string {
  const seconds = (now - new Date(time).getTime()) / 1000
  if (seconds > 7 * 86_400) return dayOf(time)
  for (const [unit, size] of steps) if (seconds >= size) return near.format(-Math.floor(seconds / size), unit)
  return words.justNow
}

export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  return bytes < 1_000_000_000 ? `${decimals(bytes / 1_000_000, 1)} MB` : `${decimals(bytes / 1_000_000_000, 1)} GB`
}
