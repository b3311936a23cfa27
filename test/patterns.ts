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

export function findPatterns(): Found[] {
  const src = join(root, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test|\.d)\.ts$/.test(name),
  )
  return files.flatMap((name) => {
    const code = stripTypeScriptTypes(readFileSync(join(src, name), 'utf8'))
    const place = (at: number) => `src/${name}:${code.slice(0, at).split('\n').length}`
    return regularExpressions(parseAst(code)).map(({ at, source, flags }) => ({
      place: place(at),
      name: `/${source}/${flags}`,
      source,
      flags,
    }))
  })
}

type Expression = { at: number; source: string; flags: string }

// biome-ignore lint/suspicious/noExplicitAny: nodes of every shape
function regularExpressions(node: any): Expression[] {
  if (typeof node !== 'object' || node === null) return []
  const own = node.type === 'Literal' && node.regex
  const found: Expression[] = own ? [{ at: node.start, source: own.pattern, flags: own.flags }] : []
  return found.concat(...Object.values(node).map(regularExpressions))
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
  for (let length = 250; length <= 1_000_000; length *= 2) {
    if (time(length) > 20) return time(length * 4) / time(length)
  }
  return 1
}

async function judgeNew(): Promise<void> {
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const judged = readJudged()
  const found = findPatterns()
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
