// `memoir remember`, `memoir memories` and `memoir memory …`
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Run } from './connection.ts'
import { printFields, printTable, short } from './print.ts'

type Options = {
  source?: string
  time?: string
  tags?: string
  limit?: string
  before?: string
  since?: string
  until?: string
  tag?: string
  plain?: boolean
  json?: boolean
}

export function memoryCommands(program: Command, run: Run): void {
  program
    .command('remember <domain-name> <text...>')
    .description('give a persona one memory; - reads it from standard input')
    .option('--source <name>', 'where it comes from', 'command line')
    .option('--time <time>', 'when it happened; default: now')
    .option('--tags <list>', 'comma-separated tags')
    .option('--json', 'print JSON')
    .action((domainName: string, words: string[], options: Options) =>
      run(async ({ service }) => {
        const said = words.join(' ')
        const kept: string[] = []
        await service({ onDocument: (id) => kept.push(id) }).memory({
          DomainName: domainName,
          Text: said === '-' ? (await readAll(process.stdin)).trim() : said,
          SourceName: options.source!,
          Createdtime: options.time,
          Tags: options.tags,
        })
        const [id] = kept
        if (options.json) return console.log(JSON.stringify({ document_id: id }))
        console.log(`Remembered as ${id}. To forget it: memoir document delete ${domainName} ${id}`)
      }),
    )

  program
    .command('memories <domain-name>')
    .description('list the memories of a persona by the time they speak of, latest first')
    .option('--limit <n>', 'how many', '50')
    .option('--before <id>', 'the page after this one')
    .option('--since <time>', 'only what speaks of this time or later')
    .option('--until <time>', 'only what speaks of this time or earlier')
    .option('--tag <tag>', 'only with this tag')
    .option('--source <name>', 'only from this source')
    .option('--plain', 'only what was given as a memory, no passages of documents')
    .option('--json', 'print JSON')
    .action((domainName: string, { plain, json, ...narrowed }: Options) =>
      run(async ({ admin }) => {
        const page = await admin.timeline({
          domain_name: domainName,
          ...narrowed,
          ...(plain && { kind: 'memory' as const }),
        })
        if (json) return console.log(JSON.stringify(page, null, 2))
        const rows = page.memories.map((one) => ({
          id: one.id,
          time: one.start_time_utc.slice(0, 10),
          from: short(one.title || one.source_name, 30),
          text: short(one.text, 90),
        }))
        printTable(rows, `No memories. Give it one: memoir remember ${domainName} "…"`)
        if (page.next) console.log(`\nMore: memoir memories ${domainName} --before ${page.next}`)
      }),
    )

  program
    .command('memory')
    .description('one memory of a persona')
    .command('delete <domain-name> <id>')
    .description('delete a memory, so that nothing is answered from it any more')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, { json }: Options) =>
      run(async ({ admin }) => {
        const { deleted } = await admin.deleteMemory({ domain_name: domainName, id })
        if (json) console.log(JSON.stringify(deleted))
        else printFields({ ...deleted })
      }),
    )
}
