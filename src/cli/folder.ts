// A folder as one file: what is in it, packed, so that it can be learned as a whole.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../domain/errors.ts'
import { type Entry, zip } from '../zip.ts'

const FILES = 50_000

// Runs this with the packed folder's path and name; the packed one is gone afterwards.
export async function packed<T>(folder: string, act: (path: string, name: string) => Promise<T>): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), 'memoir-'))
  const path = join(temporary, 'folder.zip')
  try {
    await pipeline(zip(entriesOf(resolve(folder))), createWriteStream(path, { mode: 0o600 }))
    return await act(path, basename(resolve(folder)))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Entry> {
  const isTaken = (name: string) => isShown(name) || OBSIDIAN.test(name)
  for await (const { path, name } of filesIn(folder, isTaken)) yield { name, bytes: createReadStream(path) }
}

const isShown = (name: string): boolean => !/(^|\/)\./.test(name)
const OBSIDIAN = /^\.obsidian\/[\w-]{1,60}\.json$/ // they tell that the folder is one of Obsidian's

// Every plain file below it; links are not followed, and hidden files are not the folder's content.
export async function* filesIn(folder: string, isTaken = isShown): AsyncGenerator<{ path: string; name: string }> {
  let count = 0
  for await (const entry of await opendir(folder, { recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    if (!entry.isFile() || !isTaken(name)) continue
    if (++count > FILES) throw new AppError('invalid', `${folder} holds more than ${FILES} files.`)
    yield { path, name }
  }
  if (count === 0) throw new AppError('invalid', `${folder} holds no files.`)
}
