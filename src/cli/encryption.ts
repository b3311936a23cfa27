// `memoir encrypt` and `memoir rotate-key`
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { printTable, waiting } from './print.ts'

export function encryptionCommands(program: Command): void {
  program
    .command('encrypt')
    .description('encrypt a data folder with the key that the settings name; the service must not run')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => encrypt(json))

  program
    .command('rotate-key')
    .description('make a new data key; the service then encrypts everything with it while it runs')
    .option('--new-key-file <file>', 'also replace the key that the settings name: the new one is in this file')
    .option('--json', 'print JSON')
    .action((options: { newKeyFile?: string; json?: boolean }) => rotate(options))
}

async function encrypt(json: boolean | undefined): Promise<void> {
  const config = configOf()
  const { encryptStore } = await import('../stores.ts')
  const rows = await waiting('Encrypting', encryptStore(config))
  const plain = plainCopies(config)
  if (json) return console.log(JSON.stringify({ rows, plain_copies: plain }))
  printTable(Object.entries(rows).map(([table, count]) => ({ table, rows: count })))
  console.log(
    '\nEverything in the data folder is encrypted. Keep the key in another place: without it nothing can be read.',
  )
  if (plain.length > 0) console.log(`Made before, and not encrypted: delete them.\n${plain.join('\n')}`)
}

// Copies from before an upgrade or a restore.
function plainCopies({ dataFolder }: Config): string[] {
  const names = readdirSync(dataFolder).filter((name) => /^(memoir-schema-\d+\.db|.*\.backup)$/.test(name))
  return names.map((name) => join(dataFolder, name))
}

async function rotate({ newKeyFile, json }: { newKeyFile?: string; json?: boolean }): Promise<void> {
  const config = configOf()
  const { rotateStoreKey } = await import('../stores.ts')
  rotateStoreKey(config, newKeyFile ? { setting: '--new-key-file', file: newKeyFile } : undefined)
  if (json) return console.log(JSON.stringify({ rotated: true }))
  if (newKeyFile)
    console.log(`From now on the key is the one in ${newKeyFile}: let ${config.encryption!.setting} give it.`)
  console.log(
    'There is a new data key. The service encrypts everything with it in the background from its next start on.',
  )
}

function configOf(): Config {
  if (process.env.MEMOIR_URL) throw new AppError('invalid', 'Only a data folder can be encrypted: unset MEMOIR_URL.')
  return readConfig({ ...process.env, MEMOIR_LOG: 'error' })
}
