// `memoir waiting`: what the console's page Waiting shows, and the command for each.
import type { Command } from 'commander'
import type { Admin } from '../contract/admin-api.ts'
import type { Run } from './connection.ts'
import { printTable } from './print.ts'

type Thing = Awaited<ReturnType<Admin['waiting']>>['waiting'][number]

export function waitingCommand(program: Command, run: Run): void {
  program
    .command('waiting')
    .description('what waits for you: drafts, failures, a model that does not answer, a full disk, an old backup')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      run(async ({ admin }) => {
        const found = await admin.waiting({})
        if (json) return console.log(JSON.stringify(found, null, 2))
        printTable(found.waiting.map(rowOf), 'Nothing waits.')
      }),
    )
}

const rowOf = (one: Thing) => ({
  waits: titles[one.kind](one),
  persona: one.domain_name,
  since: one.since?.slice(0, 16).replace('T', ' '),
  says: one.says,
  to_settle_it: ways[one.kind](one),
})

const titles: Record<Thing['kind'], (one: Thing) => string> = {
  drafts: ({ count }) => (count === 1 ? '1 draft' : `${count} drafts`),
  failures: ({ count }) => (count === 1 ? '1 document was not learned' : `${count} documents were not learned`),
  model: () => 'the chat model does not answer',
  trigger: ({ trigger }) => `trigger “${trigger?.name}” is switched off`,
  source: ({ source }) => `“${source?.name}” is not followed any more`,
  damage: ({ count }) => (count === 1 ? '1 text is damaged' : `${count} texts are damaged`),
  disk: () => 'the disk is nearly full',
  backup: ({ since }) => (since === null ? 'there is no backup' : 'the last backup is old'),
}

const ways: Record<Thing['kind'], (one: Thing) => string> = {
  drafts: ({ domain_name: name }) => `memoir drafts ${name}`,
  failures: ({ domain_name: name }) => `memoir documents ${name} --state failed`,
  model: ({ domain_name: name }) => `memoir persona show ${name}`,
  trigger: ({ domain_name: name, trigger }) => `memoir trigger deliveries ${name} ${trigger?.id}`,
  source: ({ domain_name: name, source }) => `memoir source look ${name} ${source?.id}`,
  damage: () => 'memoir doctor',
  disk: () => 'make room on the disk of the service',
  backup: () => 'memoir backup FILE',
}
