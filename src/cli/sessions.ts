// `memoir sessions` and `memoir session …`: what was said, by whom, and when.
import type { Command } from 'commander'
import type { Connection, Run } from './connection.ts'
import { printFields, printTable, short } from './print.ts'

type Options = { limit: string; before?: string; from?: string; search?: string; json?: boolean }

export function sessionCommands(program: Command, run: Run): void {
  program
    .command('sessions <domain-name>')
    .description('list the sessions of a persona, the latest active first, or search what was said in them')
    .option('--limit <n>', 'how many', '50')
    .option('--before <id>', 'the page after this one')
    .option('--from <where>', 'console: those you began there; elsewhere: those of callers')
    .option('--search <words>', 'messages that hold these words, as they stand')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) => run(({ admin }) => list(admin, domainName, options)))

  const session = program.command('session').description('name or delete a session; `memoir history` reads it')
  session
    .command('rename <domain-name> <session> <title>')
    .description('give a session a title')
    .action((domainName: string, id: string, title: string) =>
      run(async ({ admin }) => printFields(await admin.renameSession({ domain_name: domainName, id, title }))),
    )
  session
    .command('delete <domain-name> <session>')
    .description('delete a session with its messages, drafts and replies')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, { json }: Options) =>
      run(async ({ admin }) => {
        const { deleted } = await admin.deleteSession({ domain_name: domainName, id })
        if (json) console.log(JSON.stringify(deleted))
        else printFields({ ...deleted })
      }),
    )
}

async function list(admin: Connection['admin'], domainName: string, options: Options): Promise<void> {
  const { limit, before, from, search, json } = options
  const page = { domain_name: domainName, limit, before }
  if (search !== undefined) {
    const found = await admin.searchMessages({ ...page, text: search })
    if (json) return console.log(JSON.stringify(found, null, 2))
    const rows = found.messages.map((one) => ({
      at: one.created_at.slice(0, 19).replace('T', ' '),
      session: one.session_id,
      who: one.role === 'ai' ? 'persona' : (one.user_name ?? 'user'),
      text: short(one.text, 80),
    }))
    printTable(rows, `Nobody said ${JSON.stringify(search)}.`)
    return more(domainName, found.next, ` --search ${JSON.stringify(search)}`)
  }
  const found = await admin.listSessions({ ...page, from: from as 'console' | 'elsewhere' | undefined })
  if (json) return console.log(JSON.stringify(found, null, 2))
  const rows = found.sessions.map((one) => ({
    session: one.id,
    last: one.last_at.slice(0, 19).replace('T', ' '),
    messages: one.messages,
    from: one.source_app,
    about: short(one.title || one.opening, 60),
  }))
  printTable(rows, `Nobody has talked to ${domainName} yet. Be the first: memoir ask ${domainName} "…"`)
  more(domainName, found.next, '')
}

function more(domainName: string, next: string | null, options: string): void {
  if (next) console.log(`\nMore: memoir sessions ${domainName}${options} --before ${next}`)
}
