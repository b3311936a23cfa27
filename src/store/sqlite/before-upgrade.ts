// Before an upgrade changes the tables the database is copied beside itself, so that there is a way back.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

// Resolves the name of the copy: memoir-schema-13.db for what version 13 of the tables held.
export function copyBeforeUpgrade(db: DatabaseSync, path: string, version: number): string {
  refuseWithoutRoom(path)
  const copy = copyOf(path, version)
  const unfinished = `${copy}.${process.pid}`
  try {
    closeSync(openSync(unfinished, 'w', 0o600)) // private before it holds anything
    db.prepare('vacuum into ?').run(unfinished)
    sync(unfinished)
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
  removeOlder(path)
  return copy
}

const stemOf = (path: string): string => path.replace(/\.db$/, '')
const copyOf = (path: string, version: number): string => `${stemOf(path)}-schema-${version}.db`

// Half of it again, for the upgrade itself.
function refuseWithoutRoom(path: string): void {
  const bytes = [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const { bavail, bsize } = statfsSync(dirname(path))
  const needed = 1.5 * bytes
  if (bavail * bsize >= needed) return
  const mib = (of: number) => `${Math.ceil(of / 1024 / 1024)} MiB`
  throw new AppError(
    'storage_full',
    `This version changes the tables of ${path}, and there is no room to copy it first: ${mib(needed)} are needed, ` +
      `${mib(bavail * bsize)} are free. Make room, then start again; nothing was changed.`,
  )
}

function removeOlder(path: string): void {
  const folder = dirname(path)
  const begins = `${basename(stemOf(path))}-schema-`
  const versions = readdirSync(folder)
    .filter((name) => name.startsWith(begins) && /^\d+\.db$/.test(name.slice(begins.length)))
    .map((name) => Number.parseInt(name.slice(begins.length), 10))
    .sort((one, two) => two - one)
  for (const version of versions.slice(limits.upgradeCopies))
    rmSync(join(folder, `${begins}${version}.db`), { force: true })
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
