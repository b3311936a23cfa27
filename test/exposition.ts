// Reads what /metrics says as Prometheus does, and finds fault with it as `promtool check metrics` does.

export type Family = { name: string; type: string; help: string; samples: Sample[] }
export type Sample = { name: string; labels: Record<string, string>; value: number }

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? ((?:[+-]?(?:[0-9.]+(?:e[+-]?[0-9]+)?|Inf))|NaN)$`, 'i')
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy

// Throws at the first line that the format does not know, or that stands in the wrong place.
export function parseExposition(text: string): Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Family>()
  let last: Family | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+)(?: (.*))?$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (families.has(name!)) throw new Error(`a second HELP for ${name}`)
      last = { name: name!, type: '', help: rest ?? '', samples: [] }
      families.set(name!, last)
    } else if (kind === 'TYPE') {
      if (last?.name !== name) throw new Error(`TYPE for ${name} does not follow its HELP`)
      if (last!.type !== '' || last!.samples.length > 0) throw new Error(`a late or second TYPE for ${name}`)
      if (!/^(?:counter|gauge|histogram|summary|untyped)$/.test(rest ?? '')) throw new Error(`no type: ${line}`)
      last!.type = rest!
    } else if (line.startsWith('#')) throw new Error(`a comment that says nothing: ${line}`)
    else addSample(last, line)
  }
  return [...families.values()]
}

function addSample(family: Family | undefined, line: string): void {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
  if (!name) throw new Error(`no sample: ${line}`)
  const base = family?.type === 'histogram' ? name.replace(/_(?:bucket|sum|count)$/, '') : name
  if (!family || base !== family.name) throw new Error(`${name} stands outside of its family`)
  const found = [...labels.matchAll(LABEL)]
  if (found.map(([whole]) => whole).join('') !== labels) throw new Error(`malformed labels: ${line}`)
  const sample = {
    name,
    labels: Object.fromEntries(found.map(([, key, text]) => [key!, text!])),
    value: Number(value!.replace('Inf', 'Infinity')),
  }
  if (family.samples.some((one) => one.name === name && sameLabels(one.labels, sample.labels)))
    throw new Error(`twice: ${line}`)
  family.samples.push(sample)
}

const sameLabels = (one: Record<string, string>, two: Record<string, string>) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(two).sort())

// The rules of Prometheus's own linter (promlint).
export function lintFamily({ name, type, help, samples }: Family): string[] {
  const words = name.split('_')
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)))
  const rules: [boolean, string][] = [
    [help === '', 'no help text'],
    [type === '' || type === 'untyped', 'no type'],
    [type === 'counter' && !name.endsWith('_total'), 'counter metrics should have "_total" suffix'],
    [type !== 'counter' && name.endsWith('_total'), 'non-counter metrics should not have "_total" suffix'],
    [type !== 'histogram' && type !== 'summary' && /_(?:count|sum|bucket)$/.test(name), 'suffix of a histogram'],
    [type !== 'histogram' && labels.has('le'), 'non-histogram metrics should not have "le" label'],
    [type !== 'summary' && labels.has('quantile'), 'non-summary metrics should not have "quantile" label'],
    [words.some((word) => OTHER_UNITS.has(word)), 'use base units: seconds, bytes, ratios'],
    [words.some((word) => SHORT_UNITS.has(word)), 'metric names should not contain abbreviated units'],
    [words.some((word) => /^(?:counter|gauge|histogram|summary)$/.test(word)), 'metric name should not include type'],
    [name.includes(':'), 'metric names should not contain ":"'],
    [/[a-z][A-Z]/.test(name) || [...labels].some((label) => /[a-z][A-Z]/.test(label)), 'use snake_case'],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => `${name}: ${rule}`)
}

const OTHER_UNITS = new Set(
  (
    'milliseconds microseconds nanoseconds minutes hours days weeks kilobytes megabytes gigabytes kibibytes mebibytes ' +
    'gibibytes bits percent celsius fahrenheit'
  ).split(' '),
)
const SHORT_UNITS = new Set('s ms us ns sec b kb mb gb tb pb m h d'.split(' '))
