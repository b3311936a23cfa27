// What a search needs to know of each row beside vector and words, in columns of a few bytes.

import { isRole, type TimeRange } from '../../language/language.ts'
import type { TraceRow } from '../../ports/store.ts'

export const FLAG = { draft: 1, linked: 2, gone: 4, self: 8 } as const

// A conversation's turn counts a part of its neighbours' words as its own: the question asked before it, the answer
// after it. [before][distance − 1]; shares found on LoCoMo, where they gained 11 points of recall@5 for words alone.
export const SHARE = { before: [1, 0.5], after: [0.5, 0.25] } as const

const LINK_MINUTES = 60
const LINK_TERMS = 64 // longer texts stand for themselves
const UNKNOWN = 0

export type Columns = ReturnType<typeof createColumns>

export function createColumns() {
  let count = 0
  let live = 0
  let capacity = 0
  let numbers = new Float64Array(0)
  let documents = new Float64Array(0)
  let minutes = new Int32Array(0)
  let speakers = new Uint16Array(0)
  let terms = new Uint16Array(0)
  let lengths = new Float32Array(0)
  let flags = new Uint8Array(0)
  let lengthsSum = 0
  const idOf = new Map<string, number>()

  const reserve = (least: number) => {
    if (least <= capacity) return
    capacity = Math.max(least, Math.ceil(capacity * 1.125), 16)
    const into = <T extends { set(from: T): void }>(larger: T, old: T): T => {
      larger.set(old)
      return larger
    }
    numbers = into(new Float64Array(capacity), numbers)
    documents = into(new Float64Array(capacity), documents)
    minutes = into(new Int32Array(capacity), minutes)
    speakers = into(new Uint16Array(capacity), speakers)
    terms = into(new Uint16Array(capacity), terms)
    lengths = into(new Float32Array(capacity), lengths)
    flags = into(new Uint8Array(capacity), flags)
  }

  const speakerId = (name: string | null): number => {
    if (!name) return UNKNOWN
    const known = idOf.get(name)
    if (known !== undefined) return known
    if (idOf.size >= 0xffff) return UNKNOWN
    idOf.set(name, idOf.size + 1)
    return idOf.size
  }

  let lastWasTurn = false
  const isLinked = (row: TraceRow, minute: number): boolean => {
    const turn = row.isTurn && terms[count]! <= LINK_TERMS
    const linked = turn && lastWasTurn && count > 0 && Math.abs(minute - minutes[count - 1]!) <= LINK_MINUTES
    lastWasTurn = turn
    return linked
  }

  // Passes on to each row near `row` in its conversation, with its share of what `row` holds.
  const spread = (row: number, take: (near: number, share: number) => void) => {
    for (let at = row + 1; at <= row + SHARE.before.length && at < count && flags[at]! & FLAG.linked; at++)
      take(at, SHARE.before[at - row - 1]!)
    for (let at = row; at > row - SHARE.after.length && flags[at]! & FLAG.linked; at--)
      take(at - 1, SHARE.after[row - at]!)
  }

  return {
    count: () => count,
    live: () => live,
    averageLength: () => lengthsSum / Math.max(1, count),
    // Good until the next row is added.
    lengths: () => lengths,
    flags: () => flags,
    number: (row: number) => numbers[row]!,
    document: (row: number) => documents[row]!,
    minute: (row: number) => minutes[row]!,
    speaker: (row: number) => speakers[row]!,
    has: (row: number, flag: number) => (flags[row]! & flag) !== 0,
    isWithin: (row: number, { from, to }: TimeRange) => minutes[row]! >= from && minutes[row]! <= to,
    isShown: (row: number, among: Set<number> | undefined) =>
      !(flags[row]! & FLAG.gone) && (among ? among.has(documents[row]!) : !(flags[row]! & FLAG.draft)),
    // The row said right before a row in its conversation, if it is shown.
    before(row: number, among: Set<number> | undefined): number | undefined {
      return flags[row]! & FLAG.linked && this.isShown(row - 1, among) ? numbers[row - 1]! : undefined
    },
    isSpeaker: (name: string) => idOf.has(name) && !isRole(name),
    expect: (rows: number) => reserve(count + rows),

    speakersNamed(asked: ReadonlySet<string>): Set<number> {
      const found = new Set<number>()
      for (const name of asked) {
        const id = idOf.get(name)
        if (id !== undefined) found.add(id)
      }
      return found
    },

    add(row: TraceRow, termCount: number, isDraft: boolean): void {
      reserve(count + 1)
      const minute = Math.floor(row.time / 60_000)
      numbers[count] = row.number
      documents[count] = documentKey(row.documentId)
      minutes[count] = minute
      speakers[count] = speakerId(row.speaker)
      terms[count] = Math.min(termCount, 0xffff)
      flags[count] =
        (isDraft ? FLAG.draft : 0) | (row.isSelf ? FLAG.self : 0) | (isLinked(row, minute) ? FLAG.linked : 0)
      lengths[count] = termCount
      lengthsSum += termCount
      count++
      live++
      // Lengths count as the words do: with the neighbours' share.
      const last = count - 1
      spread(last, (near, share) => {
        lengths[near]! += share * termCount
        lengthsSum += share * termCount
      })
      for (let before = last - 1; before >= 0 && before >= last - SHARE.before.length; before--) {
        if (!(flags[before + 1]! & FLAG.linked)) break
        const share = SHARE.before[last - before - 1]! * terms[before]!
        lengths[last]! += share
        lengthsSum += share
      }
    },

    removeDocuments(keys: Set<number>): void {
      for (let row = 0; row < count; row++) {
        if (flags[row]! & FLAG.gone || !keys.has(documents[row]!)) continue
        flags[row]! |= FLAG.gone
        live--
      }
    },

    bytes: () => capacity * 29,
  }
}

// The random end of a document's id as one exact number: half the bytes of the text, and quick to compare.
export const documentKey = (id: string): number => Number.parseInt(id.slice(-13).replace('-', ''), 16)
