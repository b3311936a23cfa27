// Backs up the store that the settings name. Apart from opening one, which loads several
// times as much as a small backup takes.
import { readFileSync } from 'node:fs'
import { type Config, databaseFile } from './config.ts'
import { limits } from './domain/limits.ts'
import { readOwnerKey } from './encryption-key.ts'
import { usable } from './folders.ts'
import { runThread } from './store/keep/run-thread.ts'

// Everything as it is now, whether a service runs on it or not, as the parts of a backup file.
export const backUpStore = (config: Config): AsyncIterable<Uint8Array> =>
  runThread({
    place:
      config.databaseUrl === undefined
        ? { path: databaseFile(config), ownerKey: ownerKeyOf(config) }
        : { url: config.databaseUrl },
    backup: { passphrase: passphraseOf(config) },
  })

export const ownerKeyOf = ({ encryption }: Config): Buffer | undefined => readOwnerKey(encryption)

// Without the line's end that an editor puts there.
export function passphraseOf({ backupPassphraseFile: file }: Config): string | undefined {
  if (file === undefined) return undefined
  return usable('MEMOIR_BACKUP_PASSPHRASE_FILE', file, (path) => {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    const { least, most } = limits.passphraseCharacters
    if (text.length < least || text.length > most) throw new Error(`a passphrase has ${least} to ${most} characters`)
    return text
  })
}
