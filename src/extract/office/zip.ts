// Opens zip archives, the hull of most office files: nothing is believed but the bytes that come out.

import { constants, inflateRawSync } from 'node:zlib'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'
import { progressed } from '../progress.ts'

export type Archive = {
  names: string[]
  // Null where there is no such entry, or what there is cannot be unpacked. Names are compared without case.
  read(name: string): Uint8Array | null
}

type Entry = { name: string; method: number; flags: number; start: number; packed: number }

export function openZip(bytes: Uint8Array): Archive {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = new Map<string, Entry>()
  for (const entry of listEntries(view)) {
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
      const unpacked = unpack(view, entry, Math.min(left, limits.archiveEntryBytes))
      left -= unpacked?.length ?? 0
      return unpacked
    },
  }
}

export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && (bytes[3] === 4 || bytes[3] === 6)
  )
}

function keyOf(name: string): string {
  return name.replace(/\\/g, '/').replace(/^\/+/, '').toLowerCase()
}

function unpack(view: Buffer, entry: Entry, maximum: number): Uint8Array | null {
  const packed = view.subarray(entry.start, entry.start + entry.packed)
  if (entry.method === 0) {
    if (packed.length > maximum) throw tooLarge()
    return packed
  }
  if (entry.method !== 8) return null
  try {
    // What is cut short gives what it holds.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maximum), finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    return null
  }
}

function tooLarge(): AppError {
  return new AppError('unreadable', `The file unpacks to more than ${limits.archiveEntryBytes / 1024 / 1024} MiB.`)
}

// The directory at the end names the entries; where it is broken, they are found by their own heads.
function listEntries(view: Buffer): Entry[] {
  const listed = fromDirectory(view)
  return listed.length > 0 ? listed : fromHeads(view)
}

function fromDirectory(view: Buffer): Entry[] {
  const end = view.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > view.length) return []
  const entries: Entry[] = []
  let at = view.readUInt32LE(end + 16)
  if (at === 0xffffffff) at = zip64Start(view, end)
  while (
    at >= 0 &&
    at + 46 <= view.length &&
    view.readUInt32LE(at) === 0x02014b50 &&
    entries.length < limits.archiveEntries
  ) {
    const nameLength = view.readUInt16LE(at + 28)
    const head = view.readUInt32LE(at + 42)
    const start = dataStart(view, head)
    if (start !== null)
      entries.push({
        name: nameAt(view, at + 46, nameLength, view.readUInt16LE(at + 8)),
        flags: view.readUInt16LE(at + 8),
        method: view.readUInt16LE(at + 10),
        packed: view.readUInt32LE(at + 20),
        start,
      })
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  return entries
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

function fromHeads(view: Buffer): Entry[] {
  const entries: Entry[] = []
  let at = view.indexOf('PK\x03\x04', 0, 'latin1')
  while (at >= 0 && at + 30 <= view.length && entries.length < limits.archiveEntries) {
    const nameLength = view.readUInt16LE(at + 26)
    const start = at + 30 + nameLength + view.readUInt16LE(at + 28)
    const next = view.indexOf('PK\x03\x04', start, 'latin1')
    const size = view.readUInt32LE(at + 18)
    const known = size > 0 && start + size <= view.length
    entries.push({
      name: nameAt(view, at + 30, nameLength, view.readUInt16LE(at + 6)),
      flags: view.readUInt16LE(at + 6),
      method: view.readUInt16LE(at + 8),
      packed: known ? size : (next < 0 ? view.length : next) - start,
      start,
    })
    at = next
  }
  return entries
}

function nameAt(view: Buffer, at: number, length: number, flags: number): string {
  return view.toString(flags & 0x800 ? 'utf8' : 'latin1', at, Math.min(view.length, at + length))
}
