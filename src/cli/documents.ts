// `memoir documents`
import type { Command } from 'commander'
import { type DocumentState, documentStates } from '../domain/document.ts'
import type { Run } from './connection.ts'
import { printTable, short } from './print.ts'

type Options = { state?: DocumentState; limit: string; before?: string; json?: boolean }

export function documentCommands(program: Command, run: Run): void {
  program
    .command('documents <domain-name>')
    .description('list the documents of a persona with their state')
    .option('--state <state>', documentStates.join(', '))
    .option('--limit <n>', 'how many', '50')
    .option('--before <id>', 'the page after this one')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const page = await admin.listDocuments({
          domain_name: domainName,
          ...(options.state && { state: options.state }),
          limit: options.limit,
          before: options.before,
        })
        if (options.json) return console.log(JSON.stringify(page, null, 2))
        const rows = page.documents.map((one) => ({
          id: one.id,
          title: short(one.title, 50),
          kind: one.kind,
          state:
            one.state === 'reading' ? `reading ${one.progress} %` : one.is_draft ? `${one.state}, draft` : one.state,
          time: one.start_time_utc.slice(0, 10),
          error: one.error === null ? '' : short(one.error, 80),
        }))
        printTable(rows, `Nothing yet. Teach it something: memoir learn ${domainName} FILE`)
        if (page.next) console.log(`\nMore: memoir documents ${domainName} --before ${page.next}`)
      }),
    )
}
