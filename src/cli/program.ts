// The `memoir` command line: a table of contents of its commands.
import { Command } from 'commander'
import packaged from '../../package.json' with { type: 'json' }
import { ConfigError, settings } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { askCommands } from './ask.ts'
import { auditCommands } from './audit.ts'
import { backupCommands } from './backups.ts'
import type { Run } from './connection.ts'
import { doctorCommand } from './doctor.ts'
import { oneDocumentCommands } from './document.ts'
import { documentCommands } from './documents.ts'
import { draftCommands } from './drafts.ts'
import { encryptionCommands } from './encryption.ts'
import { keyCommands } from './keys.ts'
import { learnCommand } from './learn.ts'
import { mcpCommand } from './mcp.ts'
import { memoryCommands } from './memories.ts'
import { modelCommands } from './models.ts'
import { moveCommand } from './move.ts'
import { peopleCommands } from './people.ts'
import { personaCommands } from './personas.ts'
import { recallCommand } from './recall.ts'
import { replyCommands } from './replies.ts'
import { sessionCommands } from './sessions.ts'
import { sourceCommands } from './sources.ts'
import { transferCommands } from './transfers.ts'
import { triggerCommands } from './triggers.ts'
import { upkeepCommands } from './upkeep.ts'
import { waitingCommand } from './waiting.ts'

// What a command works with is loaded when it runs: the list of all of them is there sooner.
const run: Run = async (command) => {
  const { connect } = await import('./connection.ts')
  const connection = await connect(process.env)
  try {
    await command(connection)
  } finally {
    await connection.close()
  }
}

export const program = new Command('memoir')
  .description("AI personas that answer from memory, and know when they don't know.")
  .version(packaged.version)
  .showHelpAfterError('(memoir --help lists the commands)')

program
  .command('serve')
  .description('start the service')
  .action(async () => (await import('./serve.ts')).serve(process.env))
personaCommands(program, run)
keyCommands(program, run)
peopleCommands(program, run)
askCommands(program, run)
replyCommands(program, run)
draftCommands(program, run)
waitingCommand(program, run)
triggerCommands(program, run)
sourceCommands(program, run)
recallCommand(program, run)
learnCommand(program, run)
mcpCommand(program, run)
upkeepCommands(program)
doctorCommand(program)
auditCommands(program, run)
moveCommand(program)
modelCommands(program, run)
backupCommands(program)
encryptionCommands(program)
transferCommands(program, run)
documentCommands(program, run)
oneDocumentCommands(program, run)
memoryCommands(program, run)
sessionCommands(program, run)

const width = Math.max(...settings.map((setting) => setting.name.length))
program.addHelpText(
  'after',
  `\nSettings (environment):\n${settings
    .map(
      ({ name, meaning, fallback }) => `  ${name.padEnd(width)}  ${meaning}${fallback ? ` Default: ${fallback}` : ''}`,
    )
    .join('\n')}`,
)

const END_MS = 5_000

export async function runProgram(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    // Our own sentences stand for themselves; anything else is a bug and comes with its stack.
    const own = error instanceof AppError || error instanceof ConfigError || (error as Error).stack === undefined
    console.error(own || !process.env.MEMOIR_LOG ? (error as Error).message : error)
    if (process.env.MEMOIR_URL && error instanceof AppError && error.code === 'unauthorized')
      console.error(
        'Is MEMOIR_KEY a key for this? The admin key is one for every command; ' +
          "a persona's key for ask, remember, learn and history with that persona.",
      )
    process.exitCode = 1
    // Whatever the failure left open does not keep a failed command from ending.
    setTimeout(() => process.exit(), END_MS).unref()
  }
}
