// `memoir export`, `memoir import` and `memoir caller …`
import { createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { writeWhole } from '../app/backups/backup-file.ts'
import { AppError } from '../domain/errors.ts'
import type { Connection, Run } from './connection.ts'
import { printFields, waiting } from './print.ts'

type Options = { json?: boolean; vectors?: boolean; as?: string; session?: string; user?: string; yes?: boolean }

export function transferCommands(program: Command, run: Run): void {
  program
    .command('export <domain-name> [file]')
    .description('write a persona with all it knows to a zip of JSON Lines; without a file, to standard output')
    .option('--vectors', 'with the vectors of its memories: larger, and nothing is embedded again on import')
    .action((domainName: string, file: string | undefined, { vectors }: Options) =>
      run(async ({ files }) =>
        keep(file, await files.exportPersona({ domain_name: domainName, vectors: vectors ?? false })),
      ),
    )

  program
    .command('import <file>')
    .description('bring a persona in from its export; what it has already stays, so that twice is once')
    .option('--as <domain-name>', 'under another name')
    .option('--json', 'print JSON')
    .action((file: string, { as, json }: Options) => run((connection) => bringIn(connection, file, as, json)))

  const caller = program.command('caller').description('what a caller said to a persona: take it out, or delete it')
  whose(
    caller.command('export <domain-name> [file]').description("write a caller's sessions to a zip of JSON Lines"),
  ).action((domainName: string, file: string | undefined, options: Options) =>
    run(async ({ files }) => keep(file, await files.exportCaller({ domain_name: domainName, ...named(options) }))),
  )
  whose(caller.command('delete <domain-name>').description("delete a caller's sessions, and say what was deleted"))
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const receipt = await admin.deleteCaller({ domain_name: domainName, ...named(options) })
        if (options.json) console.log(JSON.stringify(receipt, null, 2))
        else printFields({ ...receipt.deleted, deleted_at: receipt.deleted_at })
      }),
    )
}

const whose = (command: Command): Command =>
  command
    .option('--session <id>', 'the caller of this SessionId')
    .option('--user <name>', 'the caller of this UserName: every session in which it spoke')

const named = ({ session, user }: Options) => ({
  ...(session !== undefined && { session_id: session }),
  ...(user !== undefined && { user_name: user }),
})

async function keep(file: string | undefined, parts: AsyncIterable<Uint8Array>): Promise<void> {
  if (file !== undefined && file !== '-') {
    const bytes = await waiting('Exporting', writeWhole(file, parts))
    return console.log(`${file}: ${bytes} bytes.`)
  }
  if (process.stdout.isTTY) throw new AppError('invalid', 'A zip archive is not for a terminal: name a file, or use >.')
  await pipeline(parts, createWriteStream('', { fd: 1, autoClose: false }))
}

async function bringIn({ files }: Connection, file: string, as: string | undefined, json?: boolean): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new AppError('not_found', `There is no file ${file}.`)
  const imported = await waiting('Importing', files.importPersona(file, as === undefined ? {} : { as }))
  if (json) return console.log(JSON.stringify(imported, null, 2))
  const { domain_name, is_new, added, embedded } = imported
  printFields({ persona: `${domain_name} (${is_new ? 'new' : 'was there'})`, ...added, embedded })
}
