// A file that is there whole or not at all: written beside its place under another name, synced, then renamed.
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

// Answers with the bytes written. Only the owner of the process may read it.
export async function writeWhole(path: string, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}${PARTIAL}`)
  await rm(partial, { force: true }).catch(() => {})
  if (await isFolder(path)) throw new AppError('invalid', `${path} is a folder: name a file in it.`)
  const file = await open(partial, 'wx', 0o600).catch((error) => {
    throw told(error, path)
  })
  try {
    const bytes = await writeAll(file, parts)
    await file.sync()
    await file.close()
    await rename(partial, path)
    await syncFolder(dirname(path))
    return bytes
  } catch (error) {
    await file.close().catch(() => {})
    await rm(partial, { force: true })
    throw told(error, path)
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

// What a disk refuses, as something to act on.
function told(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const folder = dirname(path)
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new AppError('not_found', `There is no folder ${folder}: make it first.`, { cause: error })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new AppError('invalid', `${folder} may not be written to: name a file in another folder.`, { cause: error })
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new AppError(
      'storage_full',
      `The disk of ${folder} has no room for ${basename(path)}: nothing is kept of it.`,
      {
        cause: error,
      },
    )
  return error
}

export const PARTIAL = '.partial'

// The disk writes while the next parts are made, instead of everything at the end. A failure is kept: the system
// tells it once, and a later sync may succeed without what was lost.
async function writeAll(file: FileHandle, parts: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  let synced = 0
  let syncing: Promise<void> | undefined
  let failure: { error: unknown } | undefined
  for await (const part of parts) {
    if (failure) throw failure.error
    await file.writeFile(part)
    bytes += part.length
    if (syncing || bytes - synced < limits.backupSyncBytes) continue
    synced = bytes
    syncing = file.datasync().then(
      () => {
        syncing = undefined
      },
      (error) => {
        failure = { error }
      },
    )
  }
  await syncing
  if (failure) throw failure.error
  return bytes
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
