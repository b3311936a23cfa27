// Which mails belong together: by what they say they answer, and where they do not say it, by their subject.

import { AppError } from '../../../domain/errors.ts'
import { limits } from '../../limits.ts'
import { shortName } from '../format.ts'
import type { Place } from '../shelf.ts'

export type Mail = {
  id: string
  answers: string[] // ids, the oldest first
  time: number
  subject: string
  place: Place
}

const DAY_MS = 24 * 60 * 60_000
const SAME_SUBJECT_MS = 60 * DAY_MS
const ANSWERED = 40 // ids of one mail that are looked at

const prefix =
  /^\s{0,9}(re|aw|sv|vs|antw|odp|rif|res|ref|fwd?|wg|tr|rv|enc|doorst)\s?(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:：]\s{0,9}/i
const PREFIXES = 20

export const isAnswer = (subject: string): boolean => prefix.test(subject)
export const isForward = (subject: string): boolean =>
  /^(?:fwd?|wg|tr|rv|enc|doorst)$/i.test(prefix.exec(subject)?.[1] ?? '')

export function plainSubject(subject: string): string {
  let rest = subject.replaceAll(/\s+/g, ' ').trim()
  for (let times = 0; times < PREFIXES; times++) {
    const found = prefix.exec(rest)
    if (!found) break
    rest = rest.slice(found[0].length)
  }
  return rest.trim()
}

type Entry = { node: number; root: string; time: number; subject: string; isLoose: boolean; place: Place }

export type Conversation = { root: string; mails: Place[] }

export function createConversations() {
  const nodes = new Map<string, number>()
  const parents: number[] = []
  const entries: Entry[] = []
  const known = new Set<string>()

  const nodeOf = (id: string): number => {
    const before = nodes.get(id)
    if (before !== undefined) return before
    nodes.set(id, parents.length)
    parents.push(parents.length)
    return parents.length - 1
  }
  const find = (node: number): number => {
    let at = node
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!
      at = parents[at]!
    }
    return at
  }
  const join = (one: number, two: number) => {
    parents[find(one)] = find(two)
  }

  return {
    // False for a mail that came before.
    isNew(id: string): boolean {
      const short = shortName(id)
      if (known.has(short)) return false
      known.add(short)
      return true
    },
    add({ id, answers, time, subject, place }: Mail): void {
      if (entries.length >= limits.collectionThings)
        throw new AppError('unreadable', `The file holds more than ${limits.collectionThings} mails.`)
      const ids = [...answers.slice(0, 1), ...answers.slice(1).slice(-ANSWERED)].map(shortName)
      const node = nodeOf(shortName(id))
      for (const other of ids) if (nodes.has(other) || nodes.size < limits.collectionThings) join(node, nodeOf(other))
      const plain = plainSubject(subject).toLowerCase()
      const isLoose = ids.length === 0 && isAnswer(subject) && plain !== ''
      entries.push({ node, root: ids[0] ?? shortName(id), time, subject: shortName(plain), isLoose, place })
    },
    // In the order in which they began; their mails in the order of their times.
    *all(): Generator<Conversation> {
      entries.sort((one, two) => one.time - two.time)
      joinBySubject(entries, join)
      const found = new Map<number, Conversation>()
      for (const { node, root, place } of entries) {
        const conversation = found.get(find(node))
        if (conversation) conversation.mails.push(place)
        else found.set(find(node), { root, mails: [place] })
      }
      yield* found.values()
    },
  }
}

// "Re: Kitchen" without a word of which mail it answers belongs to the last one about the kitchen.
function joinBySubject(entries: Entry[], join: (one: number, two: number) => void): void {
  const last = new Map<string, Entry>()
  for (const entry of entries) {
    const before = last.get(entry.subject)
    if (before && entry.isLoose && entry.time - before.time <= SAME_SUBJECT_MS) join(entry.node, before.node)
    last.set(entry.subject, entry)
  }
}
