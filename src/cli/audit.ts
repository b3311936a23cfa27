// `memoir audit …`: who did what, when and from where.
import type { Command } from 'commander'
import { AppError } from '../domain/errors.ts'
import type { Run } from './connection.ts'
import { printTable } from './print.ts'

export function auditCommands(program: Command, run: Run): void {
  const audit = program.command('audit').description('the record of what owners, keys and the service did')

  audit
    .command('list')
    .description('show the latest entries')
    .option('--limit <count>', 'how many, 200 at most', '50')
    .option('--before <number>', 'the page after this one')
    .action(({ limit, before }: { limit: string; before?: string }) =>
      run(async ({ admin }) => {
        const { entries, next } = await admin.listAudit({ limit: Number(limit), ...(before && { before }) })
        printTable(
          entries.map(({ hash: _, ...entry }) => entry),
          'Nothing was done yet.',
        )
        if (next) console.log(`More: memoir audit list --before ${next}`)
      }),
    )

  audit
    .command('export')
    .description('print all entries as lines of JSON, newest first')
    .action(() =>
      run(async ({ admin }) => {
        for (let before: string | undefined; ; ) {
          const { entries, next } = await admin.listAudit({ limit: 200, ...(before && { before }) })
          for (const entry of entries) console.log(JSON.stringify(entry))
          if (next === null) return
          before = next
        }
      }),
    )

  audit
    .command('verify')
    .description('check that nothing was changed or taken out; fails where something was')
    .action(() =>
      run(async ({ admin }) => {
        const { entries, is_whole, broken_at, hash } = await admin.verifyAudit({})
        if (!is_whole) throw new AppError('conflict', `The audit record was changed at entry ${broken_at}.`)
        console.log(`${entries} entries, all as they were written. The last has the hash ${hash}`)
      }),
    )
}
