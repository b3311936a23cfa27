// `memoir people …`
import type { Command } from 'commander'
import { type Role, roles } from '../domain/roles.ts'
import type { Run } from './connection.ts'
import { printTable } from './print.ts'

type Options = { role?: string; personas?: string; json?: boolean }

const personasOf = (list: string) => (list.trim() === '*' ? '*' : list.split(',').map((name) => name.trim()))

export function peopleCommands(program: Command, run: Run): void {
  const people = program.command('people').description('invite people to the console, and say what they may do')

  people
    .command('invite <email>')
    .description('make a one-time link to an account')
    .option('--role <role>', roles.join(', '), 'reader')
    .option('--personas <list>', "domain names, comma-separated, or '*' for all", '')
    .option('--json', 'print JSON')
    .action((email: string, { role, personas = '', json }: Options) =>
      run(async ({ admin, url }) => {
        const whom = { email, role: role as Role, ...(personas && { personas: personasOf(personas) as '*' }) }
        const { path, ...invitation } = await admin.invitePerson(whom)
        if (json) return console.log(JSON.stringify({ ...invitation, link: url + path }, null, 2))
        console.log(`${url}${path}\n\nShown this once; it works once, until ${invitation.expires_at.slice(0, 10)}.`)
      }),
    )

  people
    .command('list')
    .description('list people, and who is invited')
    .option('--json', 'print JSON')
    .action(({ json }: Options) =>
      run(async ({ admin }) => {
        const all = await admin.listPeople({})
        if (json) return console.log(JSON.stringify(all, null, 2))
        const rows = [
          ...all.people.map((one) => ({ ...one, seen: one.last_seen_at?.slice(0, 16) ?? 'never' })),
          ...all.invitations.map((one) => ({ ...one, name: '', seen: one.is_reset ? 'new password' : 'invited' })),
        ]
        printTable(
          rows.map(({ id, email, name, role, personas, seen }) => ({ id, email, name, role, personas, seen })),
          'Nobody yet. Invite somebody: memoir people invite ada@example.com',
        )
      }),
    )

  people
    .command('set <id>')
    .description('change what somebody may do')
    .option('--role <role>', roles.join(', '))
    .option('--personas <list>', "domain names, comma-separated, or '*' for all")
    .action((id: string, { role, personas }: Options) =>
      run(async ({ admin }) => {
        const changes = {
          ...(role && { role: role as Role }),
          ...(personas && { personas: personasOf(personas) as '*' }),
        }
        const changed = await admin.changePerson({ id, ...changes })
        console.log(`${changed.email} is ${changed.role} of ${changed.personas === '*' ? 'all' : changed.personas}.`)
      }),
    )

  people
    .command('remove <id>')
    .description('remove an account; whoever is signed in to it is out at once')
    .action((id: string) =>
      run(async ({ admin }) => {
        await admin.removePerson({ id })
        console.log(`Removed ${id}.`)
      }),
    )

  people
    .command('reset <id>')
    .description('make a one-time link to a new password')
    .action((id: string) =>
      run(async ({ admin, url }) => {
        const { path, expires_at } = await admin.resetPerson({ id })
        console.log(`${url}${path}\n\nShown this once; it works once, until ${expires_at.slice(0, 10)}.`)
      }),
    )

  people
    .command('withdraw <id>')
    .description('withdraw an invitation')
    .action((id: string) =>
      run(async ({ admin }) => {
        await admin.withdrawInvitation({ id })
        console.log(`Withdrawn ${id}.`)
      }),
    )
}
