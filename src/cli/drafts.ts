// `memoir drafts`, `approve` and `reject`: the replies that wait for the owner.
import type { Command } from 'commander'
import type { Run } from './connection.ts'

type Options = { before?: string; text?: string; learn?: boolean; json?: boolean }

export function draftCommands(program: Command, run: Run): void {
  program
    .command('drafts <domain-name>')
    .description('list the replies that wait for the owner')
    .option('--before <id>', 'the page after this one')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const answer = await admin.listDrafts({ domain_name: domainName, before: options.before })
        if (options.json) return console.log(JSON.stringify(answer, null, 2))
        if (answer.drafts.length === 0) return console.log('No reply waits.')
        for (const { id, question, text, score, reason } of answer.drafts)
          console.log(`${id}  ${score} %, ${reason}\n  ${question}\n  → ${text}\n`)
        console.log(`Settle one: memoir approve ${domainName} ID [--text "…"], or memoir reject ${domainName} ID`)
        if (answer.next) console.log(`More: memoir drafts ${domainName} --before ${answer.next}`)
      }),
    )

  program
    .command('approve <domain-name> <draft-id>')
    .description('let a draft enter the history, and learn from it')
    .option('--text <reply>', 'the reply as it should be')
    .option('--no-learn', 'do not add question and reply to memory')
    .action((domainName: string, id: string, { text, learn }: Options) =>
      run(async ({ admin }) => {
        const { document_id } = await admin.approveDraft({ domain_name: domainName, id, text, learn })
        console.log(document_id ? 'Approved, and learned.' : 'Approved.')
      }),
    )

  program
    .command('reject <domain-name> <draft-id>')
    .description('drop a draft')
    .action((domainName: string, id: string) =>
      run(async ({ admin }) => {
        await admin.rejectDraft({ domain_name: domainName, id })
        console.log('Rejected.')
      }),
    )
}
