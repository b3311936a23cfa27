// Every pattern of the source, and whether it takes linear time. `npm run patterns` judges those that are new: recheck looks
// for an attack, and what it suspects, or cannot decide, is measured on texts that grow.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { parseAst } from 'vite'

const root = resolve(import.meta.dirname, '..')
const file = join(import.meta.dirname, 'patterns.json')

export type Found = { place: string; name: string; source: string; flags: string }
// `bounded`: may cost more than its text's length, but only ever sees a short one; why. `exceptions`: to become linear; where.
export type Judged = { linear: string[]; bounded: Record<string, string>; exceptions: Record<string, string> }

export const readJudged = (): Judged => JSON.parse(readFileSync(file, 'utf8'))

const src = join(root, 'src')

// Those written as they are, and those that are put together when a module is loaded or a function runs.
export async function findPatterns(): Promise<Found[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test|\.d)\.ts$/.test(name),
  )
  const written = files.flatMap((name) => {
    const code = stripTypeScriptTypes(readFileSync(join(src, name), 'utf8'))
    const place = (at: number) => `src/${name}:${code.slice(0, at).split('\n').length}`
    return regularExpressions(parseAst(code)).map(({ at, ...one }) => named(place(at), one))
  })
  return [...written, ...(await composedAtLoad(files))]
}

type Expression = { at: number; source: string; flags: string }

const named = (place: string, { source, flags }: Omit<Expression, 'at'>): Found => ({
  place,
  name: `/${source}/${flags}`,
  source,
  flags,
})

// biome-ignore lint/suspicious/noExplicitAny: nodes of every shape
function regularExpressions(node: any, isInFunction = false): Expression[] {
  if (typeof node !== 'object' || node === null) return []
  const own = node.type === 'Literal' && node.regex
  const found: Expression[] = own ? [{ at: node.start, source: own.pattern, flags: own.flags }] : []
  // What stands in a function is not composed when its module is loaded: its varying parts are taken for a letter.
  if (isInFunction && node.type === 'NewExpression' && node.callee.name === 'RegExp') found.push(withLetters(node))
  const inside = isInFunction || /Function/.test(node.type ?? '')
  return found.concat(...Object.values(node).map((child) => regularExpressions(child, inside)))
}

// biome-ignore lint/suspicious/noExplicitAny: nodes of every shape
function withLetters({ start, arguments: [pattern, flags] }: any): Expression {
  if (pattern.type !== 'TemplateLiteral')
    throw new Error('Write the pattern as one template, so that it can be judged.')
  // biome-ignore lint/suspicious/noExplicitAny: nodes of every shape
  const parts = pattern.quasis.map((part: any) => part.value.cooked)
  const isCount = (at: number) => /\{\d+,$/.test(parts[at])
  const source = parts.reduce((all: string, part: string, at: number) => `${all}${isCount(at - 1) ? 9 : 'a'}${part}`)
  return { at: start, source, flags: flags?.value ?? '' }
}

// Loads the modules while whoever calls `new RegExp` is written down.
async function composedAtLoad(files: string[]): Promise<Found[]> {
  const composing = files.filter((name) => readFileSync(join(src, name), 'utf8').includes('new RegExp('))
  const found: Found[] = []
  const Native = RegExp
  globalThis.RegExp = new Proxy(Native, {
    construct(target, given) {
      const made: RegExp = Reflect.construct(target, given)
      const from = /\/(src\/[\w/.-]+?\.ts):(\d+)/.exec(new Error().stack!.split('\n')[2] ?? '')
      if (from) found.push(named(`${from[1]}:${from[2]}`, made))
      return made
    },
  })
  try {
    for (const name of composing) await import(join(src, name))
  } finally {
    globalThis.RegExp = Native
  }
  return found
}

type Attack = { pumps: { prefix: string; pump: string }[]; suffix: string }

async function judge({ source, flags }: Found): Promise<string | undefined> {
  const { checkSync } = createRequire(import.meta.url)('recheck')
  const { status, attack } = checkSync(source, flags, { timeout: 10_000 })
  if (status === 'safe') return undefined
  const attacks: Attack[] = attack ? [attack] : guesses(source)
  const worst = attacks.find((one) => growth(new RegExp(source, flags), one) > 8)
  return worst && `${JSON.stringify(worst.pumps)} + ${JSON.stringify(worst.suffix)}`
}

// Where recheck runs out of time: every word and sign of the pattern, again and again.
function guesses(source: string): Attack[] {
  const words = new Set([
    ...(source.match(/[a-z]{2,}/gi) ?? []).map((word) => `${word} `),
    ...' \t\n\r.,;:-"\'<>[](){}#=|a0',
    '<a',
    '\n-',
  ])
  return [...words].map((pump) => ({ pumps: [{ prefix: '', pump }], suffix: '\0' }))
}

// How many times longer four times the text takes, where it takes long enough to tell: 4 for what is linear, 16 for a square.
function growth(pattern: RegExp, { pumps, suffix }: Attack): number {
  const time = (length: number) => {
    const times = Math.ceil(length / pumps.reduce((sum, { pump }) => sum + pump.length, 0))
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
    const begun = performance.now()
    try {
      runInNewContext(
        pattern.global ? "text.replace(pattern, '')" : 'pattern.test(text)',
        { pattern, text },
        { timeout: 5_000 },
      )
    } catch {
      return Number.POSITIVE_INFINITY
    }
    return performance.now() - begun
  }
  // The best of a few: a busy machine takes longer now and then.
  const best = (length: number) => Math.min(...Array.from({ length: 5 }, () => time(length)))
  for (let length = 250; length <= 1_000_000; length *= 2) {
    if (time(length) > 20 && best(length) > 20) return best(length * 4) / best(length)
  }
  return 1
}

async function judgeNew(): Promise<void> {
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const judged = readJudged()
  const found = await findPatterns()
  const here = new Set(found.map(({ name }) => name))
  const kept = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).filter(([name]) => here.has(name)))
  const linear = new Set(judged.linear.filter((name) => here.has(name)))
  for (const one of found) {
    if (linear.has(one.name) || one.name in judged.bounded || one.name in judged.exceptions) continue
    const attack = await judge(one)
    if (attack === undefined) linear.add(one.name)
    else {
      console.error(`${one.place} ${one.name}\n  takes more than linear time on ${attack.slice(0, 200)}`)
      process.exitCode = 1
    }
  }
  const all = { linear: [...linear].sort(), bounded: kept(judged.bounded), exceptions: kept(judged.exceptions) }
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
}

if (import.meta.main) await judgeNew()
