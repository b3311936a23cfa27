// An object that a program left in another's file: unwrapped, and read as what it is.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { readInner } from '../nested.ts'
import { openCompound } from './compound.ts'

export async function readOle({ bytes, name }: Content): Promise<Extracted> {
  const compound = openCompound(bytes)
  const native = compound.read('\x01Ole10Native')
  const inside = native ? unwrap(native) : (compound.read('Package') ?? compound.read('CONTENTS'))
  const inner = inside && (await readInner({ bytes: inside, name, mediaType: null }))
  if (!inner) throw new AppError('unreadable', 'The embedded object holds no text that can be read.')
  return inner
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
