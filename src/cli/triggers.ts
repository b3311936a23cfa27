// `memoir trigger …`: events posted to other programs, and the log of them.
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { type EventType, eventTypes } from '../domain/trigger.ts'
import type { Connection, Run } from './connection.ts'
import { printFields, printTable, short, waiting } from './print.ts'

type Options = {
  on?: string
  source?: string
  name?: string
  url?: string
  switch?: string
  failed?: boolean
  before?: string
  json?: boolean
}

// How long the command waits to see what became of a delivery.
const SEEN_MS = 20_000

export function triggerCommands(program: Command, run: Run): void {
  const trigger = program.command('trigger').description('post events of a persona to other programs')
  const on = `comma-separated: ${eventTypes.join(',')}`

  trigger
    .command('create <domain-name> <name> <url>')
    .description('have events posted to an address; shows the secret that signs them, this once')
    .option('--on <events>', `${on}; default: all`)
    .option('--source <name>', 'only what came with this SourceName')
    .option('--json', 'print JSON')
    .action((domainName: string, name: string, url: string, options: Options) =>
      run(async ({ admin }) => {
        const fields = { name, on: eventsOf(options.on) ?? [...eventTypes], deliver: { url } }
        const made = await admin.createTrigger({ domain_name: domainName, ...fields, source: options.source })
        if (options.json) return printJson(made)
        console.log(`${made.secret}\n\nShown this once. Try it: memoir trigger test ${domainName} ${made.id}`)
      }),
    )

  trigger
    .command('list <domain-name>')
    .description('list the triggers of a persona')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const { triggers } = await admin.listTriggers({ domain_name: domainName })
        if (options.json) return printJson({ triggers })
        const rows = triggers.map((one) => ({
          id: one.id,
          name: one.name,
          state: one.is_on ? (one.failing_since ? 'failing' : 'on') : 'off',
          source: one.source,
          on: one.on.length === eventTypes.length ? 'all' : one.on,
          url: one.deliver.url,
        }))
        printTable(rows, `No triggers yet. Create one: memoir trigger create ${domainName} NAME URL`)
      }),
    )

  trigger
    .command('set <domain-name> <id>')
    .description('change a trigger, or switch it on or off')
    .option('--name <name>', 'to tell it from others')
    .option('--url <url>', 'where to post to')
    .option('--on <events>', on)
    .option('--source <name>', "only what came with this SourceName; '*' for everything")
    .option('--switch <on|off>', 'on, or off')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, options: Options) =>
      run(async ({ admin }) => {
        const { name, source, url } = options
        const changed = await admin.changeTrigger({
          domain_name: domainName,
          id,
          name,
          source,
          on: eventsOf(options.on),
          deliver: url === undefined ? undefined : { url },
          is_on: options.switch === undefined ? undefined : switchOf(options.switch),
        })
        if (options.json) printJson(changed)
        else printFields(changed)
      }),
    )

  trigger
    .command('rotate <domain-name> <id>')
    .description('make a new secret; the one before it signs, too, for a day')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, options: Options) =>
      run(async ({ admin }) => {
        const made = await admin.rotateTriggerSecret({ domain_name: domainName, id })
        if (options.json) printJson(made)
        else console.log(`${made.secret}\n\nShown this once. The secret before it signs, too, for a day.`)
      }),
    )

  trigger
    .command('delete <domain-name> <id>')
    .description('delete a trigger with its deliveries')
    .action((domainName: string, id: string) =>
      run(async ({ admin }) => {
        await admin.deleteTrigger({ domain_name: domainName, id })
        console.log('Deleted.')
      }),
    )

  deliveryCommands(trigger, run)
}

function deliveryCommands(trigger: Command, run: Run): void {
  trigger
    .command('test <domain-name> <id>')
    .description('send a test event, and say what became of it')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, options: Options) =>
      run(async ({ admin }) => {
        const sent = await admin.testTrigger({ domain_name: domainName, id })
        await showOutcome(admin, domainName, sent, options)
      }),
    )

  trigger
    .command('deliveries <domain-name> <id>')
    .description('list what was delivered, or waits, newest first')
    .option('--before <id>', 'the page after this one')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, options: Options) =>
      run(async ({ admin }) => {
        const answer = await admin.listDeliveries({ domain_name: domainName, id, before: options.before })
        if (options.json) return printJson(answer)
        const rows = answer.deliveries.map((one) => ({
          id: one.id,
          type: one.type,
          state: one.state,
          attempts: one.attempts,
          status: one.last_status,
          at: one.created_at.slice(0, 19),
          error: short(one.last_error ?? ''),
        }))
        printTable(rows, 'Nothing was delivered yet.')
        if (answer.next) console.log(`More: memoir trigger deliveries ${domainName} ${id} --before ${answer.next}`)
      }),
    )

  trigger
    .command('delivery <domain-name> <delivery-id>')
    .description('show one delivery with its payload and every attempt')
    .action((domainName: string, id: string) =>
      run(async ({ admin }) => printJson(await admin.getDelivery({ domain_name: domainName, id }))),
    )

  trigger
    .command('redeliver <domain-name> <id>')
    .description('send a delivery again; with --failed, everything of a trigger that failed')
    .option('--failed', 'the id is that of a trigger: send all of it that failed')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, options: Options) =>
      run(async ({ admin }) => {
        const named = { domain_name: domainName, id }
        if (!options.failed) return showOutcome(admin, domainName, await admin.redeliver(named), options)
        const answer = await admin.redeliverFailed(named)
        if (options.json) printJson(answer)
        else console.log(`${answer.redelivered} set to be sent again.`)
      }),
    )
}

type Sent = { id: string; attempts: number }

async function showOutcome(admin: Connection['admin'], domainName: string, before: Sent, { json }: Options) {
  const look = () => admin.getDelivery({ domain_name: domainName, id: before.id })
  const seen = async () => {
    for (const until = performance.now() + SEEN_MS; ; await wait(100)) {
      const now = await look()
      if (now.attempts > before.attempts || performance.now() > until) return now
    }
  }
  const after = await waiting('Delivering', seen())
  if (json) return printJson(after)
  if (after.attempts === before.attempts) console.log('Not sent yet: it waits for a process that delivers.')
  else if (after.state === 'sent') console.log(`Delivered: status ${after.last_status}.`)
  else console.log(`${after.last_error} See: memoir trigger delivery ${domainName} ${after.id}`)
}

const eventsOf = (list: string | undefined): EventType[] | undefined =>
  list?.split(',').map((one) => one.trim()) as EventType[] | undefined

// Anything else is refused by the service, in its words.
const switchOf = (word: string): boolean => (word === 'on' ? true : word === 'off' ? false : (word as never))

const printJson = (thing: object): void => console.log(JSON.stringify(thing, null, 2))
