// The mails of a file: one of its own, or a mailbox of many, read piece by piece.

import { limits } from '../../limits.ts'
import { wholeBytes } from '../format.ts'
import type { SourceFile } from '../source.ts'

const LOOK_BYTES = 2_048 // behind a line that may begin a mail, to see whether it does
const BACK_BYTES = 3 // before it: the empty line

export async function* mailsIn(file: SourceFile): AsyncGenerator<Buffer> {
  const head = Buffer.from(await file.head())
  if (head.subarray(0, 5).toString('latin1') === 'From ') yield* splitMailbox(file)
  else yield withoutCount(await wholeBytes(file, limits.collectionValueBytes))
}

// Apple Mail writes how long the mail is before it, and what it knows about it behind it.
function withoutCount(bytes: Buffer): Buffer {
  const count = /^(\d{1,10}) {0,20}\r?\n/.exec(bytes.toString('latin1', 0, 40))
  return count ? bytes.subarray(count[0].length, count[0].length + Number(count[1])) : bytes
}

async function* splitMailbox(file: SourceFile): AsyncGenerator<Buffer> {
  const mail = createBin()
  let held: Buffer = Buffer.alloc(0)
  let from = 0 // what lies before it is in the bin
  function* mailsBefore(until: number): Generator<Buffer> {
    for (let at = nextFrom(held, from); at >= 0 && at < until; at = nextFrom(held, at + 1)) {
      const isOwn = at === from && mail.isEmpty()
      if (isOwn || !beginsMail(held, at)) continue
      mail.put(held.subarray(from, at))
      yield mail.empty()
      from = at
    }
  }
  for await (const piece of file.pieces()) {
    held = Buffer.concat([held, piece])
    const until = held.length - LOOK_BYTES
    yield* mailsBefore(until)
    if (until <= from + BACK_BYTES) continue
    mail.put(held.subarray(from, until))
    held = held.subarray(until - BACK_BYTES)
    from = BACK_BYTES
  }
  yield* mailsBefore(held.length)
  mail.put(held.subarray(from))
  yield mail.empty()
}

// The place of the next "From " at the beginning of a line, after this one.
function nextFrom(bytes: Buffer, after: number): number {
  const at = bytes.indexOf('\nFrom ', Math.max(0, after - 1), 'latin1')
  return at < 0 ? -1 : at + 1
}

// After an empty line, and before the head of a mail: "From " may begin a sentence, too.
function beginsMail(bytes: Buffer, at: number): boolean {
  const isAfterEmpty = bytes[at - 2] === 10 || (bytes[at - 2] === 13 && bytes[at - 3] === 10)
  if (!isAfterEmpty) return false
  const line = bytes.indexOf('\n', at, 'latin1')
  return line > 0 && line < at + 1_000 && /^(?:[\w-]{1,60}:|>From )/.test(bytes.toString('latin1', line + 1, line + 80))
}

// A mail that is too long loses its end, which is what is attached to it.
function createBin() {
  let parts: Buffer[] = []
  let bytes = 0
  return {
    put(part: Buffer): void {
      const kept = part.subarray(0, Math.max(0, limits.collectionValueBytes - bytes))
      if (kept.length > 0) parts.push(Buffer.from(kept))
      bytes += kept.length
    },
    isEmpty: () => bytes === 0,
    empty(): Buffer {
      const whole = Buffer.concat(parts)
      ;[parts, bytes] = [[], 0]
      return whole
    },
  }
}
