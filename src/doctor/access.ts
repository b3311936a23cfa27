// Who else could read what is the owner's: the data folder, files with keys, and the admin key itself.
import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { bad, type Finding, look, well } from './finding.ts'

const OTHERS = 0o077

export function checkFolder({ dataFolder }: Config): Finding {
  const found = statSync(dataFolder, { throwIfNoEntry: false })
  if (!found) {
    const parent = nearest(dirname(dataFolder))
    return isWritable(parent)
      ? well('data folder', `${dataFolder} will be made on the first start.`)
      : bad('data folder', `${dataFolder} cannot be made.`, `Let this user write to ${parent}, or set MEMOIR_DATA.`)
  }
  if (!found.isDirectory()) return bad('data folder', `${dataFolder} is a file.`, 'Point MEMOIR_DATA to a folder.')
  if (!isWritable(dataFolder))
    return bad('data folder', `This user may not write to ${dataFolder}.`, ownedBy(found, dataFolder))
  if (isForOthers(found))
    return look('data folder', `Others may look into ${dataFolder}.`, `Run: chmod 700 ${dataFolder}`)
  return well('data folder', dataFolder)
}

const ownedBy = ({ uid }: Stats, folder: string): string =>
  `Run Memoir as the user with the id ${uid}, who owns it, or give it away: chown -R USER ${folder}`

// Secrets in files, and in the environment.
export function checkSecrets({ tls, backupPassphraseFile, adminKey }: Config, folder: string): Finding[] {
  const files = [
    ['the TLS key', tls?.keyFile],
    ['the backup passphrase', backupPassphraseFile],
    ['the settings', resolve(folder, '.env')],
  ] as const
  const findings = files.flatMap(([what, path]) => {
    const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
    return found && isForOthers(found) ? [look(what, `Others may read ${path}.`, `Run: chmod 600 ${path}`)] : []
  })
  return [...findings, checkAdminKey(adminKey)]
}

function checkAdminKey(key: string | undefined): Finding {
  const about = 'admin key'
  if (key === undefined) return well(about, 'Made by Memoir, and kept as a hash only.')
  if (isGuessable(key))
    return bad(about, 'MEMOIR_ADMIN_KEY can be guessed.', 'Choose a random one: openssl rand -base64 32')
  const from = 'MEMOIR_ADMIN_KEY holds it, where other programs of this user can read it.'
  return look(about, from, 'It is kept after the first start: take it out of the environment then.')
}

// Few different letters, or a word that everybody tries.
const isGuessable = (key: string): boolean =>
  new Set(key).size < 8 || /change.?me|password|secret|admin.?key|example|123456/i.test(key)

const isForOthers = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & OTHERS) !== 0

const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)))

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
