// What a reader of one program's export is given, and what it gives.

import { createHash } from 'node:crypto'
import type { Item } from '../../ports/collections.ts'
import type { SourceFile } from './source.ts'

export type Context = {
  fileName: string | null // of the collection
  ownName: string
  tempFolder: string
  // Something cannot be learned: why, in words that go on from a number ("pictures and other files").
  leaveOut(what: string, times?: number): void
}

export type Format = {
  // As people call the program.
  name: string
  // Whether a file is such an export, by how it begins. 'in folder': it is an ordinary document, too, and an export
  // only among others of the kind.
  matches(head: string, path: string): boolean | 'in folder'
  read(files: SourceFile[], context: Context): AsyncIterable<Item>
}

// Reasons that several programs share.
export const MEDIA = 'pictures, recordings and other files'
export const NOTICES = 'notices of the program, such as who joined'
export const EMPTY = 'entries without text'

// A short name for something that has only a long one, or none that is the same every time.
export const shortName = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

export const itemOf = (item: Pick<Item, 'name' | 'title' | 'text' | 'source' | 'counts'> & Partial<Item>): Item => ({
  time: null,
  endTime: null,
  tags: [],
  url: null,
  grows: false,
  ...item,
})

// The bytes of a file, up to so many.
export async function wholeBytes(file: SourceFile, mostBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of file.pieces()) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= mostBytes) break
  }
  return Buffer.concat(pieces).subarray(0, mostBytes)
}

// The whole of a file that is small by nature.
export async function wholeText(file: SourceFile, mostBytes: number): Promise<string | null> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of file.pieces()) {
    bytes += piece.length
    if (bytes > mostBytes) return null
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
