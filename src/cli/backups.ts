// `memoir backup` and `memoir restore`
import { createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { writeWhole } from '../app/backups/backup-file.ts'
import { backupName } from '../app/backups/schedule.ts'
import { type Config, type Environment, readConfig } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { printTable, waiting } from './print.ts'

type Options = { passphraseFile?: string; keyFile?: string; json?: boolean; replace?: boolean; check?: boolean }

export function backupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write everything to one file, also while the service runs; - writes it to standard output')
    .option('--passphrase-file <file>', 'encrypt it with the passphrase in this file')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => backUp(file, options))

  program
    .command('restore <file>')
    .description('bring a backup back, onto the store that the settings name; the service must not run')
    .option('--replace', 'onto a store that is not empty: what it holds is backed up first, then replaced')
    .option('--check', 'only read the file, and say whether it is whole and what it holds')
    .option('--passphrase-file <file>', 'the passphrase it was encrypted with is in this file')
    .option('--key-file <file>', 'the encryption key it was encrypted with is in this file, if that is another by now')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => restore(file, options))
}

async function backUp(file: string, { passphraseFile, json }: Options): Promise<void> {
  const env = environment(passphraseFile)
  if (file === '-') {
    if (process.stdout.isTTY)
      throw new AppError('invalid', 'A backup is not for a terminal: name a file, or send it on with |.')
    return pipeline(await partsOf(env), createWriteStream('', { fd: 1, autoClose: false }))
  }
  const path = resolve(file)
  const bytes = await waiting('Backing up', writeWhole(path, await partsOf(env)))
  if (json) console.log(JSON.stringify({ file: path, bytes }))
  else console.log(`${path}: ${bytes} bytes. \`memoir restore ${file}\` brings it back.`)
}

// From the service at MEMOIR_URL, or straight from the store.
async function partsOf(env: Environment): Promise<AsyncIterable<Uint8Array>> {
  const { backUpStore, passphraseOf } = await import('../back-up.ts')
  const config = readConfig(env)
  const url = env.MEMOIR_URL?.trim()
  if (!url) return backUpStore(config)
  const passphrase = passphraseOf(config)
  const { downloadBackup } = await import('./connection.ts')
  return downloadBackup(env, url, passphrase === undefined ? {} : { passphrase })
}

async function restore(file: string, { passphraseFile, json, ...options }: Options): Promise<void> {
  if (process.env.MEMOIR_URL) throw new AppError('invalid', 'Only a store itself can be restored: unset MEMOIR_URL.')
  const config = readConfig(environment(passphraseFile))
  const { checkBackup, restoreStore } = await import('../stores.ts')
  let saved: string | undefined
  const save = async (parts: AsyncIterable<Uint8Array>) => {
    saved = placeBefore(config)
    await writeWhole(saved, parts)
  }
  const { madeAt, madeBy, rows } = await waiting(
    options.check ? 'Reading' : 'Restoring',
    options.check
      ? checkBackup(config, file, options.keyFile)
      : restoreStore(config, file, { save: options.replace ? save : undefined, keyFile: options.keyFile }),
  )
  if (json) return console.log(JSON.stringify({ made_at: madeAt, made_by: madeBy, rows, saved: saved ?? null }))
  printTable(Object.entries(rows).map(([table, count]) => ({ table, rows: count })))
  const what = `the backup of ${madeAt}, made by Memoir ${madeBy}`
  console.log(options.check ? `\nThe file is whole: ${what}.` : `\nRestored: ${what}.`)
  if (saved) console.log(`What was there before is in ${saved}.`)
}

// Beside the backups on schedule, but not one of them: it is not deleted with the oldest.
const placeBefore = ({ backups, dataFolder }: Config): string =>
  join(backups?.folder ?? dataFolder, `before-restore-${backupName(new Date()).replace('memoir-', '')}`)

const environment = (passphraseFile: string | undefined): Environment => ({
  ...process.env,
  MEMOIR_LOG: 'error',
  ...(passphraseFile && { MEMOIR_BACKUP_PASSPHRASE_FILE: passphraseFile }),
})
