// Objects that a program left in another's file: unwrapped, and read as what they are.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import type { Composer } from '../composer.ts'
import { readInner, writeInner } from '../nested.ts'
import { type Compound, openCompound } from './compound.ts'

export async function readOle({ bytes, name }: Content): Promise<Extracted> {
  const inside = insideOf(openCompound(bytes), '')
  const inner = inside && (await readInner({ bytes: inside, name, mediaType: null }))
  if (!inner) throw new AppError('unreadable', 'The embedded object holds no text that can be read.')
  return inner
}

// Where Excel and Word before 2007 keep them: a folder for each.
const places = /^(?:MBD[\dA-F]+|ObjectPool\/[^/]+)$/i

export async function writeEmbedded(composer: Composer, compound: Compound): Promise<void> {
  for (const { path, isStream } of compound.entries) {
    if (isStream || !places.test(path)) continue
    const bytes = insideOf(compound, `${path}/`)
    const inner = bytes && (await readInner({ bytes, name: null, mediaType: null }))
    if (inner) writeInner(composer, null, inner)
  }
}

function insideOf(compound: Compound, folder: string): Buffer | null {
  const native = compound.read(`${folder}\x01Ole10Native`)
  return native ? unwrap(native) : (compound.read(`${folder}Package`) ?? compound.read(`${folder}CONTENTS`))
}

// Length, two bytes, label, file name, eight bytes or more, path, length again, then the file.
function unwrap(native: Buffer): Buffer | null {
  const afterText = (at: number) => native.indexOf(0, at) + 1
  const paths = afterText(afterText(6)) + 4
  const length = native.readUInt32LE(paths)
  const data = paths + 4 + length
  if (data + 4 > native.length) return null
  const size = native.readUInt32LE(data)
  return native.subarray(data + 4, Math.min(native.length, data + 4 + size))
}
