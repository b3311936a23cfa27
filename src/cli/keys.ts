// `memoir key …`
import type { Command } from 'commander'
import { setAdminKey } from '../app/keys/new-key.ts'
import { readConfig } from '../config.ts'
import { newKey, type Scope, scopes } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import type { Run } from './connection.ts'
import { printTable } from './print.ts'

type Options = {
  scopes?: string
  defaultPersona?: string
  legacy?: boolean
  name?: string
  expires?: string
  json?: boolean
}

export function keyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('create, list and revoke keys')

  key
    .command('create <personas...>')
    .description("create a key for some personas, or '*' for all")
    .option('--scopes <list>', `comma-separated: ${scopes.join(',')}`)
    .option('--default-persona <domain-name>', 'used when a request names none')
    .option('--legacy', 'for programs written in 2023')
    .option('--name <name>', 'a name to recognise it by')
    .option('--expires <time>', 'when it stops working')
    .option('--json', 'print JSON')
    .action((personas: string[], options: Options) =>
      run(async ({ admin }) => {
        const created = await admin.createKey({
          personas: personas.includes('*') ? '*' : personas,
          ...(options.scopes && { scopes: options.scopes.split(',').map((scope) => scope.trim()) as Scope[] }),
          ...(options.defaultPersona && { default_persona: options.defaultPersona }),
          ...(options.name && { name: options.name }),
          ...(options.expires && { expires_at: options.expires }),
          ...(options.legacy && { legacy: true }),
        })
        if (options.json) console.log(JSON.stringify(created, null, 2))
        else console.log(`${created.key}\n\nShown this once. To revoke it: memoir key revoke ${created.id}`)
      }),
    )

  key
    .command('list')
    .description('list the keys, never the keys themselves')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      run(async ({ admin }) => {
        const { keys } = await admin.listKeys({})
        if (options.json) return console.log(JSON.stringify({ keys }, null, 2))
        const rows = keys.map((one) => ({
          id: one.id,
          key: `…${one.last4}`,
          name: one.name,
          personas: one.personas,
          scopes: one.scopes.length === scopes.length ? 'all' : one.scopes,
          expires: one.expires_at?.slice(0, 10) ?? 'never',
          last_used: one.last_used_at?.slice(0, 16) ?? 'never',
        }))
        printTable(rows, 'No keys yet. Create one: memoir key create my-persona')
      }),
    )

  key
    .command('revoke <id>')
    .description('revoke a key from the next request on')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      run(async ({ admin }) => {
        const answer = await admin.revokeKey({ id })
        console.log(options.json ? JSON.stringify(answer) : `Revoked ${id}.`)
      }),
    )

  key.command('reset-admin').description('make a new admin key; the old one stops working').action(resetAdmin)
}

// Only on the data folder itself: whoever can read it is the owner.
async function resetAdmin(): Promise<void> {
  if (process.env.MEMOIR_URL)
    throw new AppError('invalid', 'The admin key can be reset on the data folder only: unset MEMOIR_URL.')
  const { openRooms } = await import('../start.ts')
  const rooms = await openRooms(readConfig({ ...process.env, MEMOIR_LOG: 'error' }))
  const text = newKey('memoir_admin')
  await setAdminKey(rooms.store, text)
  await rooms.close()
  console.log(`${text}\n\nShown this once. The admin key before it no longer works.`)
}
