// `memoir source …`: feeds and sites that a persona follows.
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Connection, Run } from './connection.ts'
import { printFields, printTable, waiting } from './print.ts'

type Source = Awaited<ReturnType<Connection['admin']['getSource']>>
type Options = { kind?: Source['kind']; every?: string; switch?: string; json?: boolean }

// How long the command waits for somebody to begin, and without progress.
const SILENT_MS = 10_000

export function sourceCommands(program: Command, run: Run): void {
  const source = program.command('source').description('have a persona follow feeds and sites')

  source
    .command('add <domain-name> <url>')
    .description('follow an RSS or Atom feed, or all of a site below an address, by its sitemap')
    .option('--kind <feed|site>', 'default: by what is found there')
    .option('--every <time>', 'how often it is looked at: 30m, 6h, 1d')
    .option('--json', 'print JSON')
    .action((domainName: string, url: string, { kind, every, json }: Options) =>
      run(async ({ admin }) => {
        const added = await admin.createSource({ domain_name: domainName, url, kind: kind ?? undefined, every })
        if (json) return printJson(added)
        console.log(`Followed by the running service. See: memoir source list ${domainName}`)
      }),
    )

  source
    .command('list <domain-name>')
    .description('list what a persona follows, and what the last look brought')
    .option('--json', 'print JSON')
    .action((domainName: string, { json }: Options) =>
      run(async ({ admin }) => {
        const { sources } = await admin.listSources({ domain_name: domainName })
        if (json) return printJson({ sources })
        const rows = sources.map((one) => ({
          id: one.id,
          kind: one.kind ?? '?',
          every: one.every,
          url: one.url,
          state: stateOf(one),
        }))
        printTable(rows, `Nothing is followed yet. Follow something: memoir source add ${domainName} URL`)
      }),
    )

  source
    .command('set <domain-name> <id>')
    .description('change how often a source is looked at or what it is, or switch it on or off')
    .option('--kind <feed|site>', 'what it is')
    .option('--every <time>', '30m, 6h, 1d')
    .option('--switch <on|off>', 'on, or off')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, { kind, every, switch: turned, json }: Options) =>
      run(async ({ admin }) => {
        const is_on = turned === undefined ? undefined : switchOf(turned)
        const named = { domain_name: domainName, id }
        const changed = await admin.changeSource({ ...named, kind: kind ?? undefined, every, is_on })
        if (json) printJson(changed)
        else show(changed)
      }),
    )

  source
    .command('look <domain-name> <id>')
    .description('look at a source now, and say what came of it')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, { json }: Options) =>
      run(async ({ admin }) => {
        const named = { domain_name: domainName, id }
        const before = await admin.getSource(named)
        await admin.lookAtSource(named)
        const after = await waiting(
          'Looking',
          untilSeen(() => admin.getSource(named), before),
        )
        if (json) printJson(after)
        else show(after)
      }),
    )

  source
    .command('remove <domain-name> <id>')
    .description('follow a source no more; the documents that came from it stay')
    .action((domainName: string, id: string) =>
      run(async ({ admin }) => {
        await admin.deleteSource({ domain_name: domainName, id })
        console.log('Not followed any more. Its documents stay.')
      }),
    )
}

// Until the look has ended, or nothing moves any more.
async function untilSeen(look: () => Promise<Source>, before: Source): Promise<Source> {
  let moved = { at: Date.now(), done: -1 }
  for (;;) {
    const now = await look()
    const isOver = now.last_look?.at !== before.last_look?.at || now.failures > before.failures || !now.is_on
    if (now.looking && now.looking.done > moved.done) moved = { at: Date.now(), done: now.looking.done }
    if (isOver || Date.now() - moved.at > SILENT_MS) return now
    await wait(200)
  }
}

const show = (source: Source): void => {
  const { left_out, vanished_pages, ...last } = source.last_look ?? { left_out: {}, vanished_pages: [] }
  const { last_look: _, looking: __, ...fields } = source
  printFields({ ...fields, ...last, state: stateOf(source) })
  for (const [why, count] of Object.entries(left_out)) console.log(`left out  ${count}: ${why}`)
  for (const { url } of vanished_pages) console.log(`vanished  ${url}`)
}

function stateOf({ is_on, off_reason, error, looking, last_look }: Source): string {
  if (!is_on) return `off: ${off_reason}`
  if (error) return `failing: ${error}`
  if (looking) return looking.of > 0 ? `looking: ${looking.done} of ${looking.of}` : 'looking'
  if (!last_look) return 'waits for the running service'
  const { new: added, changed, same, vanished, left_out } = last_look
  const left = Object.values(left_out).reduce((sum, count) => sum + count, 0)
  return `${added} new, ${changed} changed, ${same} same, ${vanished} vanished, ${left} left out`
}

// Anything else is refused by the service, in its words.
const switchOf = (word: string): boolean => (word === 'on' ? true : word === 'off' ? false : (word as never))

const printJson = (thing: object): void => console.log(JSON.stringify(thing, null, 2))
