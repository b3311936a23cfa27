// `memoir ask` and `memoir history`
import type { Command } from 'commander'
import { AppError } from '../domain/errors.ts'
import type { Run } from './connection.ts'

type Options = { session?: string; context?: string; user?: string; events?: string; sources?: boolean; json?: boolean }

export function askCommands(program: Command, run: Run): void {
  program
    .command('ask <domain-name> <text...>')
    .description('send a message to a persona')
    .option('--session <id>', 'continue a session')
    .option('--context <text>', 'extra context for the reply')
    .option('--user <name>', 'who is asking')
    .option('--events <titles>', 'answer from these documents')
    .option('--sources', 'show the memories the reply rests on')
    .option('--json', 'print JSON')
    .action((domainName: string, words: string[], options: Options) =>
      run(async ({ service }) => {
        try {
          const request = {
            DomainName: domainName,
            Text: words.join(' '),
            SessionId: options.session,
            Context: options.context,
            UserName: options.user,
            Events: options.events,
            SourceName: 'command line',
          }
          const reply = await service().message(request, options.sources ? { include: 'sources' } : {})
          if (options.json) return console.log(JSON.stringify(reply, null, 2))
          console.log(`${reply.ai_message}\n`)
          for (const { title, start_time_utc, text } of reply.sources ?? [])
            console.log(`from ${[title, start_time_utc.slice(0, 10)].filter(Boolean).join(', ')}:\n${text}\n`)
          console.log(`${reply.ai_name}, ${reply.ai_score} % sure · session ${reply.SessionId}`)
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'withheld')) throw error
          throw new AppError(
            'withheld',
            "The reply scored below the persona's threshold. It waits as a draft for the owner.",
          )
        }
      }),
    )

  program
    .command('history <domain-name> <session>')
    .description('read a session')
    .option('--json', 'print JSON')
    .action((domainName: string, session: string, options: Options) =>
      run(async ({ service }) => {
        const entries = await service().conversation({ DomainName: domainName, SessionId: session })
        if (options.json) return console.log(JSON.stringify(entries, null, 2))
        for (const { ai_message, ai_name, ai_score, timestamp, Metadata } of entries) {
          const who = Metadata.role === 'ai' ? `${ai_name} (${ai_score} %)` : 'user'
          console.log(`${timestamp.slice(0, 19).replace('T', ' ')}  ${who}: ${ai_message}`)
        }
      }),
    )
}
