// Shows a number as a spreadsheet would, for the formats people use.

export type Formatter = (value: number, format: string) => string

// Formats that files name by number alone. Two of them mean “as the reader's country writes dates”: that is nobody here,
// so those dates are written in the one way nobody misreads.
const builtIn: Record<string, string> = {
  '0': 'General',
  '1': '0',
  '2': '0.00',
  '3': '#,##0',
  '4': '#,##0.00',
  '5': '"$"#,##0',
  '6': '"$"#,##0',
  '7': '"$"#,##0.00',
  '8': '"$"#,##0.00',
  '9': '0%',
  '10': '0.00%',
  '11': '0.00E+00',
  '12': '# ?/?',
  '13': '# ??/??',
  '14': 'yyyy-mm-dd',
  '15': 'd-mmm-yy',
  '16': 'd-mmm',
  '17': 'mmm-yy',
  '18': 'h:mm AM/PM',
  '19': 'h:mm:ss AM/PM',
  '20': 'h:mm',
  '21': 'h:mm:ss',
  '22': 'yyyy-mm-dd h:mm',
  '37': '#,##0;(#,##0)',
  '38': '#,##0;(#,##0)',
  '39': '#,##0.00;(#,##0.00)',
  '40': '#,##0.00;(#,##0.00)',
  '45': 'mm:ss',
  '46': '[h]:mm:ss',
  '47': 'mm:ss.0',
  '48': '##0.0E+0',
  '49': '@',
}
const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

// No program writes a longer one; the patterns below may cost more than its length.
const FORMAT_CHARACTERS = 255

export function createFormatter(since1904: boolean): Formatter {
  return (value, whole) => {
    if (!Number.isFinite(value)) return ''
    const given = whole.slice(0, FORMAT_CHARACTERS)
    const format = given.startsWith('#') && /^#\d+$/.test(given) ? (builtIn[given.slice(1)] ?? 'General') : given
    const sections = format.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    const section = (value < 0 ? sections[1] : value === 0 ? sections[2] : undefined) ?? sections[0] ?? 'General'
    const bare = section.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '')
    const shown = value < 0 && sections[1] !== undefined && section === sections[1] ? -value : value
    if (/general|@/i.test(bare) || bare.trim() === '') return plain(value)
    if (/[ymdhs]/i.test(bare)) return formatDate(value, section, since1904)
    if (bare.includes('?/') || /E[+-]/i.test(bare)) return bare.includes('/') ? fraction(shown) : plain(value)
    return formatNumber(shown, section)
  }
}

function plain(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(15)))
}

function formatNumber(value: number, section: string): string {
  const cleaned = section.replace(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"').replace(/\[[^\]]*\]|_.|\*./g, '')
  const blank = cleaned.replace(/"[^"]*"|\\./g, (quoted) => ' '.repeat(quoted.length))
  const pattern = /[#0?][#0?,]*(?:\.[0#?]*)?/.exec(blank)
  const literal = (text: string) => text.replace(/"([^"]*)"|\\(.)/g, (_all, quoted, escaped) => quoted ?? escaped ?? '')
  if (!pattern) return literal(cleaned)
  const end = pattern.index + pattern[0].length
  // The decimals may stand apart: 19 dollars and .99 cents.
  const [apart] = pattern[0].includes('.') ? [''] : (/^ *\.[0#?]+/.exec(blank.slice(end)) ?? [''])
  const [whole, decimals = ''] = `${pattern[0]}${apart.trim()}`.split('.')
  const share = /%/.test(cleaned) ? value * 100 : value
  const least = decimals.replace(/[^0]/g, '').length
  const text = Math.abs(share).toLocaleString('en-US', {
    useGrouping: whole!.includes(','),
    minimumFractionDigits: Math.min(20, least),
    maximumFractionDigits: Math.min(20, decimals.length),
    minimumIntegerDigits: Math.min(20, Math.max(1, whole!.replace(/[^0]/g, '').length)),
  })
  const before = literal(cleaned.slice(0, pattern.index))
  const between = literal(cleaned.slice(end, end + apart.length - apart.trim().length))
  const after = literal(cleaned.slice(end + apart.length))
  return `${share < 0 ? '-' : ''}${before}${between ? text.replace('.', `${between}.`) : text}${after}`.trim()
}

function fraction(value: number): string {
  const whole = Math.trunc(value)
  const rest = Math.abs(value - whole)
  for (let below = 1; below <= 99; below++) {
    const above = Math.round(rest * below)
    if (Math.abs(above / below - rest) < 1e-4) {
      if (above === 0) return String(whole)
      return whole === 0 ? `${value < 0 ? '-' : ''}${above}/${below}` : `${whole} ${above}/${below}`
    }
  }
  return plain(value)
}

function formatDate(value: number, section: string, since1904: boolean): string {
  // Day one is the first of January 1900, and 1900 is taken for a leap year; or the count starts in 1904.
  const epoch = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const date = new Date(epoch + Math.round(value * 86_400_000))
  if (Number.isNaN(date.getTime())) return plain(value)
  const hour = date.getUTCHours()
  const halves = /am\/pm|a\/p/i.test(section)
  const two = (number: number) => String(number).padStart(2, '0')
  const code = /"([^"]*)"|\\(.)|\[h+\]|\[[^\]]*\]|am\/pm|a\/p|y+|m+|d+|h+|s+(?:\.0+)?|_.|\*.|./gi
  let afterHours = false
  const parts = [...section.matchAll(code)]
  return parts
    .map((part, at) => {
      const [token, quoted, escaped] = part
      const low = token.toLowerCase()
      if (quoted !== undefined) return quoted
      if (escaped !== undefined) return escaped
      if (/^\[h+\]$/.test(low)) return String(Math.floor(value * 24))
      if (low.startsWith('[') || low.startsWith('_') || low.startsWith('*')) return ''
      if (low.startsWith('y')) return low.length > 2 ? String(date.getUTCFullYear()) : two(date.getUTCFullYear() % 100)
      if (low.startsWith('d'))
        return low.length > 3
          ? days[date.getUTCDay()]
          : low.length === 3
            ? days[date.getUTCDay()]!.slice(0, 3)
            : low.length === 2
              ? two(date.getUTCDate())
              : String(date.getUTCDate())
      if (low.startsWith('h')) {
        afterHours = true
        const shown = halves ? hour % 12 || 12 : hour
        return low.length > 1 ? two(shown) : String(shown)
      }
      if (low.startsWith('s')) return low.length > 1 ? two(date.getUTCSeconds()) : String(date.getUTCSeconds())
      if (low === 'am/pm') return hour < 12 ? 'AM' : 'PM'
      if (low === 'a/p') return hour < 12 ? 'A' : 'P'
      if (low.startsWith('m')) {
        const beforeSeconds = parts
          .slice(at + 1)
          .find((next) => /^[a-z]/i.test(next[0]))?.[0]
          .toLowerCase()
          .startsWith('s')
        if ((afterHours || beforeSeconds) && low.length <= 2) {
          afterHours = false
          return low.length > 1 ? two(date.getUTCMinutes()) : String(date.getUTCMinutes())
        }
        const month = date.getUTCMonth()
        return low.length > 3
          ? months[month]
          : low.length === 3
            ? months[month]!.slice(0, 3)
            : low.length === 2
              ? two(month + 1)
              : String(month + 1)
      }
      return token === '@' ? '' : token
    })
    .join('')
    .trim()
}
