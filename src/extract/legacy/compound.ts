// Opens compound files, the hull of Office before 2007 and of Outlook messages: a small file system of chains.

import { limits } from '../limits.ts'

export type Entry = { name: string; path: string; isStream: boolean }
export type Compound = {
  entries: Entry[]
  // A stream by its path, parts set apart by "/"; compared without case. Null where there is none.
  read(path: string): Buffer | null
}

const end = 0xfffffffa // this and above are marks, not numbers of sectors

export function isCompound(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(8, bytes.length)).toString('hex') === 'd0cf11e0a1b11ae1'
}

export function openCompound(bytes: Uint8Array): Compound {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = 1 << Math.min(16, Math.max(7, view.readUInt16LE(30)))
  const smallSize = 1 << Math.min(12, Math.max(3, view.readUInt16LE(32)))
  const sector = (number: number) => view.subarray((number + 1) * size, (number + 2) * size)
  const table = readTable(view, size, sector)
  const chain = (start: number, next: (number: number) => number, most: number): number[] => {
    const numbers: number[] = []
    const seen = new Set<number>()
    for (let at = start; at < end && !seen.has(at) && numbers.length < most; at = next(at)) {
      seen.add(at)
      numbers.push(at)
    }
    return numbers
  }
  const most = Math.ceil(view.length / smallSize) + 1
  const large = (start: number) => Buffer.concat(chain(start, (at) => table[at] ?? end, most).map(sector))

  const directory = readDirectory(large(view.readUInt32LE(48)))
  const smallTable = large(view.readUInt32LE(60))
  const smallNext = (at: number) => (at * 4 + 4 <= smallTable.length ? smallTable.readUInt32LE(at * 4) : end)
  const smallData = directory[0] ? large(directory[0].start) : Buffer.alloc(0)
  const boundary = view.readUInt32LE(56)
  const paths = pathsOf(directory)

  return {
    entries: [...paths].map(([path, entry]) => ({ name: entry.name, path, isStream: entry.type === 2 })),
    read(path) {
      const key = path.toLowerCase()
      const entry = [...paths].find(([known]) => known.toLowerCase() === key)?.[1]
      if (entry?.type !== 2) return null
      if (entry.size >= boundary) return large(entry.start).subarray(0, entry.size)
      const parts = chain(entry.start, smallNext, most).map((at) =>
        smallData.subarray(at * smallSize, (at + 1) * smallSize),
      )
      return Buffer.concat(parts).subarray(0, entry.size)
    },
  }
}

// The table of chains is itself spread over sectors, named in the head and in further sectors.
function readTable(view: Buffer, size: number, sector: (number: number) => Buffer): Uint32Array {
  const numbers: number[] = []
  for (let at = 76; at < 512 && at + 4 <= view.length; at += 4) numbers.push(view.readUInt32LE(at))
  const seen = new Set<number>()
  for (let more = view.readUInt32LE(68); more < end && !seen.has(more); ) {
    seen.add(more)
    const part = sector(more)
    if (part.length < size) break
    for (let at = 0; at < size - 4; at += 4) numbers.push(part.readUInt32LE(at))
    more = part.readUInt32LE(size - 4)
  }
  const parts = numbers.filter((number) => number < end && (number + 1) * size < view.length).map(sector)
  const whole = Buffer.concat(parts.slice(0, Math.ceil(view.length / size)))
  const table = new Uint32Array(Math.floor(whole.length / 4))
  for (let at = 0; at < table.length; at++) table[at] = whole.readUInt32LE(at * 4)
  return table
}

type Listed = { name: string; type: number; left: number; right: number; child: number; start: number; size: number }

function readDirectory(bytes: Buffer): Listed[] {
  const listed: Listed[] = []
  for (let at = 0; at + 128 <= bytes.length && listed.length < limits.archiveEntries; at += 128) {
    const length = Math.max(0, Math.min(62, bytes.readUInt16LE(at + 64) - 2))
    listed.push({
      name: bytes.toString('utf16le', at, at + length),
      type: bytes[at + 66]!,
      left: bytes.readUInt32LE(at + 68),
      right: bytes.readUInt32LE(at + 72),
      child: bytes.readUInt32LE(at + 76),
      start: bytes.readUInt32LE(at + 116),
      size: bytes.readUInt32LE(at + 120),
    })
  }
  return listed
}

function pathsOf(directory: Listed[]): Map<string, Listed> {
  const paths = new Map<string, Listed>()
  const seen = new Set<number>()
  const todo: { at: number; folder: string }[] = [{ at: directory[0]?.child ?? end, folder: '' }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    const entry = directory[next.at]
    if (!entry || seen.has(next.at)) continue
    seen.add(next.at)
    const path = next.folder ? `${next.folder}/${entry.name}` : entry.name
    paths.set(path, entry)
    todo.push({ at: entry.left, folder: next.folder }, { at: entry.right, folder: next.folder })
    if (entry.type === 1) todo.push({ at: entry.child, folder: path })
  }
  return paths
}
