// Reads robots.txt as RFC 9309 says: what it asks of us by name, otherwise what it asks of everybody.
import { limits } from './limits.ts'

export type Robots = {
  allows(url: URL): boolean
  delayS: number // between two requests; 0 where it asks for nothing
  sitemaps: string[]
}

const NAME = 'memoir'

export const everything: Robots = { allows: () => true, delayS: 0, sitemaps: [] }

type Rule = { isAllowed: boolean; parts: string[]; isEnd: boolean; length: number }
type Group = { rules: Rule[]; delayS: number }

export function readRobots(text: string): Robots {
  const groups = new Map<string, Group>()
  const sitemaps: string[] = []
  let agents: string[] = []
  let isNaming = false
  let rules = 0
  for (const [field, value] of fieldsIn(text)) {
    if (field === 'sitemap' && sitemaps.length < limits.robotsSitemaps) sitemaps.push(value)
    if (field === 'user-agent') {
      // Names that stand together share what follows them.
      agents = isNaming ? [...agents, agentIn(value)] : [agentIn(value)]
      isNaming = true
      continue
    }
    if (field !== 'allow' && field !== 'disallow' && field !== 'crawl-delay') continue
    isNaming = false
    if (++rules > limits.robotsRules) break
    for (const agent of agents) {
      const group = groups.get(agent) ?? { rules: [], delayS: 0 }
      groups.set(agent, group)
      if (field === 'crawl-delay') group.delayS = Math.max(group.delayS, Number(value) || 0)
      else if (value !== '') group.rules.push(ruleOf(field === 'allow', value))
    }
  }
  const { rules: own, delayS } = groups.get(NAME) ?? groups.get('*') ?? { rules: [], delayS: 0 }
  return { allows: (url) => isAllowed(own, url), delayS, sitemaps }
}

function* fieldsIn(text: string): Generator<[string, string]> {
  for (const line of text.slice(0, limits.robotsCharacters).split(/\r\n|\r|\n/)) {
    const said = line.split('#', 1)[0]!
    const colon = said.indexOf(':')
    if (colon > 0) yield [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()]
  }
}

// Of Memoir/1.0 the name.
const agentIn = (value: string): string => value.split('/', 1)[0]!.trim().toLowerCase()

function ruleOf(isAllowed: boolean, pattern: string): Rule {
  const isEnd = pattern.endsWith('$')
  const path = isEnd ? pattern.slice(0, -1) : pattern
  const parts = path.split('*').map(encode)
  return { isAllowed, parts, isEnd, length: path.length }
}

// As an address writes it.
const encode = (text: string): string => text.replaceAll(/[^\x21-\x7e]+/g, (some) => encodeURI(some.toWellFormed()))

// The longest rule that fits decides; of two that are as long, the one that allows.
function isAllowed(rules: Rule[], url: URL): boolean {
  const path = url.pathname + url.search
  if (path === '/robots.txt') return true
  let best: Rule | undefined
  for (const rule of rules) {
    if (best && (rule.length < best.length || (rule.length === best.length && !rule.isAllowed))) continue
    if (fits(rule, path)) best = rule
  }
  return best?.isAllowed ?? true
}

// Each part is looked for behind the one before, never twice.
function fits({ parts, isEnd }: Rule, path: string): boolean {
  if (!path.startsWith(parts[0]!)) return false
  let at = parts[0]!.length
  const last = parts.length - 1
  for (const part of parts.slice(1, isEnd ? -1 : undefined)) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isEnd) return true
  return last === 0 ? at === path.length : path.endsWith(parts[last]!) && path.length - parts[last]!.length >= at
}
