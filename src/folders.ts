// Folders and files that settings name: made where they are missing, private, and refused with the setting's name.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Config, ConfigError } from './config.ts'

// Whoever set it is told which setting is wrong, and why.
export function usable<T>(setting: string, path: string, use: (path: string) => T): T {
  try {
    return use(path)
  } catch (error) {
    throw new ConfigError(`${setting}=${path} cannot be used: ${(error as Error).message}.`)
  }
}

// Without the line's end that an editor puts there.
export const secretIn = (setting: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : usable(setting, file, (path) => readFileSync(path, 'utf8').trim())

// Node's own recursive mkdir never returns where a folder takes no entries, as below /proc.
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

// Also where it existed: whoever made it may have been careless.
export function makePrivate(folder: string): void {
  makeFolder(folder)
  chmodSync(folder, 0o700)
}

// How much room there is where everything is stored.
export const diskOf = ({ dataFolder, diskLeastBytes }: Config) => ({
  leastBytes: diskLeastBytes,
  async freeBytes() {
    const { bavail, bsize } = await statfs(dataFolder)
    return bavail * bsize
  },
})
