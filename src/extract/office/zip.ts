// Opens zip archives, the hull of most office files: nothing is believed but the bytes that come out.

import { constants, crc32, inflateRawSync } from 'node:zlib'
import { AppError } from '../../domain/errors.ts'
import { namesOf } from '../../domain/names.ts'
import { limits } from '../limits.ts'
import { progressed } from '../progress.ts'

export type Archive = {
  names: string[]
  // Null where there is no such entry, or what there is cannot be unpacked. Names are compared without case.
  read(name: string): Uint8Array | null
  // What was found so far to be wrong with it.
  damage(): Damage
}

// `endsEarly`: its list of entries, which stands at the end, is missing; 'after entries': all the entries are there.
export type Damage = { endsEarly: false | 'in entries' | 'after entries'; entries: ReadonlySet<string> }

type Entry = { name: string; method: number; flags: number; start: number; packed: number; crc: number }
type Listed = { entries: Entry[]; endsEarly: Damage['endsEarly']; damaged: string[] }

export function openZip(bytes: Uint8Array): Archive {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = new Map<string, Entry>()
  const listed = listEntries(view)
  const damaged = new Set(listed.damaged)
  for (const entry of listed.entries) {
    const key = keyOf(entry.name)
    if (!entries.has(key)) entries.set(key, entry)
  }
  let left: number = limits.archiveBytes
  return {
    names: [...entries.values()].map((entry) => entry.name),
    read(name) {
      const entry = entries.get(keyOf(name))
      if (!entry) return null
      if (entry.flags & 1) throw new AppError('unreadable', 'The file is encrypted with a password.')
      progressed(0)
      const { bytes, isWhole } = unpack(view, entry, Math.min(left, limits.archiveEntryBytes))
      left -= bytes?.length ?? 0
      if (!isWhole) damaged.add(entry.name)
      return bytes
    },
    damage: () => ({ endsEarly: listed.endsEarly, entries: damaged }),
  }
}

// Of a file whose hull is such an archive.
export function missingFrom(archive: Pick<Archive, 'damage'>): string | null {
  const { endsEarly, entries } = archive.damage()
  if (endsEarly === 'in entries') return 'This file ends early: the rest of it is missing. Upload it again.'
  if (entries.size === 0) return null
  return `Parts of this file are damaged (${namesOf([...entries])}): some of it may be missing. Upload it again.`
}

export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && (bytes[3] === 4 || bytes[3] === 6)
  )
}

function keyOf(name: string): string {
  return name.replace(/\\/g, '/').replace(/^\/+/, '').toLowerCase()
}

// Of what is not whole there may still be something.
type Unpacked = { bytes: Uint8Array | null; isWhole: boolean }

function unpack(view: Buffer, entry: Entry, maximum: number): Unpacked {
  const packed = view.subarray(entry.start, entry.start + entry.packed)
  if (entry.method === 0) {
    if (packed.length > maximum) throw tooLarge()
    const isCut = packed.length < entry.packed
    return { bytes: packed, isWhole: entry.packed === IS_ELSEWHERE || (!isCut && isIntact(entry, packed)) }
  }
  if (entry.method !== 8) return { bytes: null, isWhole: true }
  const whole = inflate(packed, maximum, constants.Z_FINISH)
  if (whole) return { bytes: whole, isWhole: isIntact(entry, whole) }
  // What is cut short gives what it holds.
  return { bytes: inflate(packed, maximum, constants.Z_SYNC_FLUSH), isWhole: false }
}

function inflate(packed: Buffer, maximum: number, finishFlush: number): Uint8Array | null {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maximum), finishFlush })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    return null
  }
}

// Programs that write as they go leave the checksum empty in an entry's own head.
const isIntact = ({ crc }: Entry, bytes: Uint8Array): boolean => crc === 0 || crc32(bytes) === crc

function tooLarge(): AppError {
  return new AppError('unreadable', `The file unpacks to more than ${limits.archiveEntryBytes / 1024 / 1024} MiB.`)
}

// The directory at the end names the entries; where it is broken, they are found by their own heads.
function listEntries(view: Buffer): Listed {
  const end = view.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const hasEnd = end >= 0 && end + 22 <= view.length
  const listed = hasEnd ? fromDirectory(view, end) : null
  if (listed && listed.entries.length > 0) return listed
  const entries = fromHeads(view)
  const last = entries.at(-1)
  // An archive in this one may have an end of its own: this one's stands right behind its list.
  if (hasEnd && view.readUInt32LE(end + 12) + view.readUInt32LE(end + 16) === end)
    return { entries, endsEarly: false, damaged: [] }
  const isListBegun = last && view.indexOf('PK\x01\x02', last.start + last.known, 'latin1') >= 0
  return { entries, endsEarly: isListBegun ? 'after entries' : 'in entries', damaged: [] }
}

function fromDirectory(view: Buffer, end: number): Listed {
  const entries: Entry[] = []
  const damaged: string[] = []
  let at = view.readUInt32LE(end + 16)
  if (at === IS_ELSEWHERE) at = zip64Start(view, end)
  while (
    at >= 0 &&
    at + 46 <= view.length &&
    view.readUInt32LE(at) === 0x02014b50 &&
    entries.length < limits.archiveEntries
  ) {
    const nameLength = view.readUInt16LE(at + 28)
    const head = view.readUInt32LE(at + 42)
    const start = dataStart(view, head)
    const name = nameAt(view, at + 46, nameLength, view.readUInt16LE(at + 8))
    if (start === null) damaged.push(name)
    else
      entries.push({
        name,
        flags: view.readUInt16LE(at + 8),
        method: view.readUInt16LE(at + 10),
        crc: view.readUInt32LE(at + 16),
        packed: view.readUInt32LE(at + 20),
        start,
      })
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  return { entries, endsEarly: false, damaged }
}

function zip64Start(view: Buffer, end: number): number {
  const locator = end - 20
  if (locator < 0 || view.readUInt32LE(locator) !== 0x07064b50) return -1
  const record = Number(view.readBigUInt64LE(locator + 8))
  return record + 56 <= view.length ? Number(view.readBigUInt64LE(record + 48)) : -1
}

function dataStart(view: Buffer, head: number): number | null {
  if (head + 30 > view.length || view.readUInt32LE(head) !== 0x04034b50) return null
  return head + 30 + view.readUInt16LE(head + 26) + view.readUInt16LE(head + 28)
}

// `known`: how many bytes surely are the entry's own.
function fromHeads(view: Buffer): (Entry & { known: number })[] {
  const entries: (Entry & { known: number })[] = []
  let at = view.indexOf('PK\x03\x04', 0, 'latin1')
  while (at >= 0 && at + 30 <= view.length && entries.length < limits.archiveEntries) {
    const nameLength = view.readUInt16LE(at + 26)
    const start = at + 30 + nameLength + view.readUInt16LE(at + 28)
    const flags = view.readUInt16LE(at + 6)
    const size = view.readUInt32LE(at + 18)
    const known = flags & SIZES_FOLLOW || size === IS_ELSEWHERE ? 0 : size
    // What is stored in it as it is may be an archive, whose heads are no entries of this one.
    const next = view.indexOf('PK\x03\x04', start + known, 'latin1')
    entries.push({
      name: nameAt(view, at + 30, nameLength, flags),
      flags,
      method: view.readUInt16LE(at + 8),
      crc: flags & SIZES_FOLLOW ? 0 : view.readUInt32LE(at + 14),
      packed: known || (next < 0 ? view.length : next) - start,
      start,
      known,
    })
    at = next
  }
  return entries
}

const SIZES_FOLLOW = 8 // a flag: sizes and checksum stand behind the entry
const IS_ELSEWHERE = 0xffff_ffff // in the extra fields that large archives have

function nameAt(view: Buffer, at: number, length: number, flags: number): string {
  return view.toString(flags & 0x800 ? 'utf8' : 'latin1', at, Math.min(view.length, at + length))
}
