// The folder of model files: what is there, what comes from an address or another folder, and what goes.
import { createHash } from 'node:crypto'
import { createReadStream, constants as fs } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import type { Download, LocalModel } from '../../ports/local-models.ts'
import { limits } from '../limits.ts'
import { fetchFile } from './fetch-file.ts'
import { readGguf } from './gguf.ts'
import { addressOf, nameOf } from './names.ts'

// What is known of a file beside itself.
type Origin = { sha256: string; from: string; addedAt: string }

type Fetching = { bytes: number; total: number; stop: AbortController; end: Promise<void> }

const WHOLE = '.gguf'
const PART = '.gguf.part'

export function createModelFolder(path: string, download: Download) {
  const fetching = new Map<string, Fetching>()
  const failures = new Map<string, string>()
  const pathOf = (name: string, end: string) => join(path, `${name}${end}`)
  const isThere = async (name: string) => (await sizeOf(pathOf(name, WHOLE))) !== undefined

  const refuseTaken = async (name: string) => {
    if (fetching.has(name)) throw new AppError('conflict', `The model ${name} is being fetched already.`)
    if (await isThere(name))
      throw new AppError('conflict', `There is a model ${name} already. \`memoir model remove ${name}\` removes it.`)
    await mkdir(path, { recursive: true, mode: 0o700 })
  }

  // Checked, named and noted: from then on it is a model.
  const keep = async (name: string, from: string, sha256: string | null) => {
    const part = pathOf(name, PART)
    try {
      await readGguf(part, name)
      const found = await hashOf(part)
      if (sha256 && found !== sha256.toLowerCase())
        throw new AppError('invalid', `${name} has the SHA-256 ${found}, not ${sha256}: it was deleted.`)
      const origin: Origin = { sha256: found, from, addedAt: new Date().toISOString() }
      await writeFile(pathOf(name, '.json'), JSON.stringify(origin), { mode: 0o600 })
      await rename(part, pathOf(name, WHOLE))
    } catch (error) {
      // What is wrong stays wrong: nothing is to be resumed.
      if (error instanceof AppError) await forget(name)
      throw error
    }
  }

  const forget = async (name: string) => {
    for (const end of [PART, '.part.json', WHOLE, '.json']) await rm(pathOf(name, end), { force: true })
  }

  return {
    path,

    async list(): Promise<LocalModel[]> {
      const files = await readdir(path).catch(() => [])
      const names = files.flatMap((file) => [WHOLE, PART].flatMap((end) => (file.endsWith(end) ? [nameOf(file)] : [])))
      const all = [...new Set([...names, ...fetching.keys(), ...failures.keys()])].toSorted()
      return Promise.all(
        all.map(async (name) => {
          const active = fetching.get(name)
          const whole = await sizeOf(pathOf(name, WHOLE))
          const bytes = whole ?? active?.bytes ?? (await sizeOf(pathOf(name, PART))) ?? 0
          const facts = whole === undefined ? undefined : await readGguf(pathOf(name, WHOLE), name).catch(tell)
          const origin = await readJson<Origin>(pathOf(name, '.json'))
          const wrong = facts && 'why' in facts ? facts.why : null
          return {
            name,
            state: active ? 'fetching' : whole === undefined || wrong ? 'broken' : 'ready',
            bytes,
            totalBytes: whole ?? active?.total ?? null,
            facts: facts && !('why' in facts) ? facts : null,
            sha256: origin?.sha256 ?? null,
            from: origin?.from ?? null,
            failure: wrong ?? failures.get(name) ?? (active || whole !== undefined ? null : 'Its download broke off.'),
          }
        }),
      )
    },

    // The file of a model that can be asked.
    async fileOf(name: string): Promise<string> {
      if (nameOf(name) !== name || !(await isThere(name)))
        throw new AppError(
          'model_failed',
          `there is no model ${name}: \`memoir model list\` shows those that are there`,
        )
      return pathOf(name, WHOLE)
    },

    // A file of the same machine. It is copied; where the file system can, without taking room twice.
    async add(file: string, sha256: string | null): Promise<string> {
      const bytes = await sizeOf(file)
      if (bytes === undefined) throw new AppError('not_found', `There is no file ${file}.`)
      const name = nameOf(basename(file))
      await refuseTaken(name)
      await readGguf(file, basename(file))
      await needRoom(path, name, bytes)
      await copyFile(file, pathOf(name, PART), fs.COPYFILE_FICLONE)
      await keep(name, basename(file), sha256)
      return name
    },

    // Returns when the server has begun to send it; `list` tells how far it is. What was broken off is resumed.
    async fetch(from: string, sha256: string | null): Promise<string> {
      const url = addressOf(from)
      const name = nameOf(decodeURIComponent(new URL(url).pathname.split('/').at(-1)!))
      await refuseTaken(name)
      failures.delete(name)
      const stop = new AbortController()
      const active: Fetching = { bytes: 0, total: 0, stop, end: Promise.resolve() }
      fetching.set(name, active)
      try {
        const opened = await fetchFile(download, { url, part: pathOf(name, PART), signal: stop.signal })
        Object.assign(active, { bytes: opened.from, total: opened.total })
        await needRoom(path, name, opened.total - opened.from).catch(async (error) => {
          await opened.cancel()
          throw error
        })
        active.end = opened
          .save((bytes) => {
            active.bytes = bytes
          })
          .then(() => keep(name, url, sha256 ?? opened.sha256))
          .catch((error: unknown) => void failures.set(name, whyNot(error, active)))
          .finally(() => fetching.delete(name))
      } catch (error) {
        fetching.delete(name)
        throw error
      }
      return name
    },

    async remove(name: string): Promise<void> {
      const active = fetching.get(name)
      active?.stop.abort()
      await active?.end
      const isKnown = failures.delete(name) || (await isThere(name)) || (await sizeOf(pathOf(name, PART))) !== undefined
      if (nameOf(name) !== name || !isKnown) throw new AppError('not_found', `There is no model ${name}.`)
      await forget(name)
    },

    async close(): Promise<void> {
      for (const { stop } of fetching.values()) stop.abort()
      await Promise.all([...fetching.values()].map(({ end }) => end))
    },
  }
}

const tell = (error: unknown): { why: string } => ({ why: (error as Error).message })

const whyNot = (error: unknown, { bytes, total }: Fetching): string =>
  error instanceof AppError
    ? error.message
    : `The download broke off after ${mib(bytes)} of ${mib(total)} MiB: to get it again goes on from there.`

const mib = (bytes: number): number => Math.floor(bytes / 2 ** 20)

async function needRoom(folder: string, name: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (bytes + limits.modelSpareBytes > free)
    throw new AppError(
      'storage_full',
      `${name} needs ${mib(bytes)} MiB more, and ${mib(free)} MiB are free in ${folder}.`,
    )
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  )

const readJson = <T>(file: string): Promise<T | undefined> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => undefined,
  )

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file, { highWaterMark: 2 ** 20 })) hash.update(part as Buffer)
  return hash.digest('hex')
}
