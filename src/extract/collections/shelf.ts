// A place on the disk for what has to be sorted before it can be told: texts are put there, and taken by their place.

import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { newScratchKey, scramble } from '../../scratch.ts'

export type Place = { at: number; bytes: number }

export type Shelf = ReturnType<typeof openShelf>

// A file without a name, and encrypted: it is gone with the thread that has it open.
export function openShelf(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const descriptor = openSync(path, 'wx+', 0o600)
  rmSync(path)
  const key = newScratchKey()
  let end = 0
  return {
    put(text: string): Place {
      const bytes = scramble(key, end, Buffer.from(text))
      for (let done = 0; done < bytes.length; )
        done += writeSync(descriptor, bytes, done, bytes.length - done, end + done)
      const place = { at: end, bytes: bytes.length }
      end += bytes.length
      return place
    },
    take({ at, bytes }: Place): string {
      const read = Buffer.alloc(bytes)
      readSync(descriptor, read, 0, bytes, at)
      return Buffer.from(scramble(key, at, read)).toString('utf8')
    },
    close: () => closeSync(descriptor),
  }
}
