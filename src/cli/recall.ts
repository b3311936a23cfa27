// `memoir recall`: the memories a question brings up, and why.
import type { Command } from 'commander'
import type { Run } from './connection.ts'
import { short } from './print.ts'

type Options = { size?: string; session?: string; at?: string; json?: boolean }

export function recallCommand(program: Command, run: Run): void {
  program
    .command('recall <domain-name> <question...>')
    .description('show the memories that a question finds, and the parts of their scores')
    .option('--size <number>', 'how many')
    .option('--session <id>', 'the question is a follow-up in this session')
    .option('--at <time>', 'when the question is asked')
    .option('--json', 'print JSON')
    .action((domainName: string, words: string[], options: Options) =>
      run(async ({ admin }) => {
        const { recollections } = await admin.recall({
          domain_name: domainName,
          question: words.join(' '),
          size: options.size === undefined ? undefined : Number(options.size),
          session_id: options.session,
          at: options.at,
        })
        if (options.json) return console.log(JSON.stringify({ recollections }, null, 2))
        if (recollections.length === 0) return console.log('Nothing comes to mind.')
        for (const { score, parts, title, text, start_time_utc } of recollections) {
          const why = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(2)}`)
          console.log(`${score.toFixed(2)}  ${[start_time_utc.slice(0, 10), title].filter(Boolean).join(' · ')}`)
          console.log(`      ${short(text, 200)}`)
          console.log(`      ${why.join(' · ')}`)
        }
      }),
    )
}
