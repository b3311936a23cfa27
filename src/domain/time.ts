// Times as callers write them. A time without a zone is UTC; nothing depends on where the service runs.

// Undefined when the text is no time this service understands.
export function parseTime(text: string): Date | undefined {
  return parseIso(text.trim()) ?? parseSpoken(text.trim())
}

export const timeExamples = '2023-05-08T13:56:00Z or Mon, 8 May 2023 13:56:00 PST'

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

function parseIso(text: string): Date | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = match
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000)
  return utc([year, month, day, hour, minute, second].map(Number), milliseconds, offsetMinutes(zone))
}

// <weekday>, <day> <month> <year> <hh:mm:ss> <zone>: the weekday is ignored, the zone may be missing.
const SPOKEN =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3,9})\.?[\s-]+(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(.*)$/i

function parseSpoken(text: string): Date | undefined {
  const match = SPOKEN.exec(text)
  if (!match) return undefined
  const [, day, monthName, year, hour = '0', minute = '0', second = '0', fraction = '0', zone = ''] = match
  const month = MONTHS.findIndex(
    (name) => name === monthName!.toLowerCase() || name.slice(0, 3) === monthName!.toLowerCase(),
  )
  if (month < 0) return undefined
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000)
  return utc(
    [Number(year), month + 1, Number(day), Number(hour), Number(minute), Number(second)],
    milliseconds,
    offsetMinutes(zone),
  )
}

function utc(fields: number[], milliseconds: number, offset: number | undefined): Date | undefined {
  const [year, month, day, hour, minute, second] = fields as [number, number, number, number, number, number]
  if (offset === undefined || hour > 23 || minute > 59 || second > 60) return undefined
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59), milliseconds))
  // 31 April would silently become 1 May.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1) return undefined
  return new Date(date.getTime() - offset * 60_000)
}

function offsetMinutes(zone: string): number | undefined {
  const name = zone
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .toLowerCase()
  if (name === '') return 0
  const numeric = /^(?:utc|gmt)?\s*([+-])(\d{1,2}):?(\d{2})?$/.exec(name)
  if (numeric) {
    const hours = Number(numeric[2])
    const minutes = Number(numeric[3] ?? 0)
    return hours > 14 || minutes > 59 ? undefined : (hours * 60 + minutes) * (numeric[1] === '-' ? -1 : 1)
  }
  // `PDT (Pacific Daylight Time)` and `GMT-0700 (PDT)` say the same thing twice.
  const twice = /^(\S+)\s+\(.*\)$/.exec(name)
  if (twice) return offsetMinutes(twice[1]!)
  return ABBREVIATIONS[name] ?? LONG_NAMES[name]
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

const hours = (table: Record<string, number>): Record<string, number | undefined> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, value * 60]))

// Where an abbreviation has several meanings, the North American or European one.
const ABBREVIATIONS = hours({
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  ist: 5.5,
  cet: 1,
  cest: 2,
  met: 1,
  mest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  trt: 3,
  sast: 2,
  eat: 3,
  wat: 1,
  cat: 2,
  gst: 4,
  pkt: 5,
  npt: 5.75,
  ict: 7,
  wib: 7,
  sgt: 8,
  hkt: 8,
  myt: 8,
  pht: 8,
  awst: 8,
  kst: 9,
  jst: 9,
  acst: 9.5,
  acdt: 10.5,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  nst: -3.5,
  ndt: -2.5,
  ast: -4,
  adt: -3,
  art: -3,
  brt: -3,
  clt: -4,
  clst: -3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
  hdt: -9,
})

const LONG_NAMES = hours({
  'coordinated universal time': 0,
  'greenwich mean time': 0,
  'british summer time': 1,
  'irish standard time': 1,
  'western european time': 0,
  'western european standard time': 0,
  'western european summer time': 1,
  'central european time': 1,
  'central european standard time': 1,
  'central european summer time': 2,
  'w. europe standard time': 1,
  'w. europe daylight time': 2,
  'romance standard time': 1,
  'romance daylight time': 2,
  'eastern european time': 2,
  'eastern european standard time': 2,
  'eastern european summer time': 3,
  'moscow standard time': 3,
  'israel standard time': 2,
  'israel daylight time': 3,
  'south africa standard time': 2,
  'east africa time': 3,
  'gulf standard time': 4,
  'pakistan standard time': 5,
  'india standard time': 5.5,
  'indochina time': 7,
  'china standard time': 8,
  'singapore standard time': 8,
  'hong kong standard time': 8,
  'philippine standard time': 8,
  'australian western standard time': 8,
  'japan standard time': 9,
  'korean standard time': 9,
  'australian central standard time': 9.5,
  'australian eastern standard time': 10,
  'australian eastern daylight time': 11,
  'new zealand standard time': 12,
  'new zealand daylight time': 13,
  'newfoundland standard time': -3.5,
  'atlantic standard time': -4,
  'atlantic daylight time': -3,
  'argentina standard time': -3,
  'brasilia standard time': -3,
  'eastern standard time': -5,
  'eastern daylight time': -4,
  'eastern summer time': -4,
  'central standard time': -6,
  'central daylight time': -5,
  'mountain standard time': -7,
  'mountain daylight time': -6,
  'pacific standard time': -8,
  'pacific daylight time': -7,
  'alaska standard time': -9,
  'alaska daylight time': -8,
  'alaskan standard time': -9,
  'alaskan daylight time': -8,
  'hawaii-aleutian standard time': -10,
  'hawaiian standard time': -10,
})
