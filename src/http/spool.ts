// An upload rests in a file of its own until all of it has come: a slow caller never holds the store's one writer.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../alive.ts'
import { limits } from '../contract/limits.ts'
import { AppError } from '../domain/errors.ts'
import type { FileOnDisk } from '../ports/collections.ts'
import { newScratchKey, scramble } from '../scratch.ts'

export type Spooled = {
  onDisk: FileOnDisk
  size: number
  pieces(): AsyncIterable<Uint8Array>
  discard(): Promise<void>
}

// A folder for the uploads of this process, in one that is there; others may work beside it. What a process that is
// gone left was never acknowledged.
export function spoolFolder(folder: string): string {
  for (const left of readdirSync(folder)) {
    const isOurs = Number(left) === process.pid // from before: in a container it is always the same number
    if (isOurs || !isAlive(Number(left))) rmSync(join(folder, left), { recursive: true, force: true })
  }
  const own = join(folder, String(process.pid))
  mkdirSync(own, { mode: 0o700 })
  return own
}

export async function spool(bytes: AsyncIterable<Uint8Array>, folder: string, fileBytes: number): Promise<Spooled> {
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600).catch(told)
  const discard = async () => {
    await file.close()
    await rm(path, { force: true })
  }
  const key = newScratchKey()
  let size = 0
  try {
    for await (const chunk of bytes) {
      if (size + chunk.length > fileBytes)
        throw new AppError('too_large', `The file is larger than ${fileBytes} bytes.`)
      await file.write(scramble(key, size, chunk))
      size += chunk.length
    }
  } catch (error) {
    await discard()
    told(error)
  }
  return {
    onDisk: { path, key },
    size,
    discard,
    async *pieces() {
      for (let at = 0; at < size; at += limits.filePieceBytes) {
        const piece = Buffer.alloc(Math.min(limits.filePieceBytes, size - at))
        await file.read(piece, 0, piece.length, at)
        yield scramble(key, at, piece)
      }
    },
  }
}

// What the file system refuses is no bug of ours: the caller hears why, and when to come back.
function told(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    throw new AppError('storage_full', 'The disk of the service is full: the file was not taken.', { retryAfterS: 30 })
  if (code === 'EMFILE' || code === 'ENFILE')
    throw new AppError('unavailable', 'Too many files are open; try again in a moment.', { retryAfterS: 2 })
  throw error
}
