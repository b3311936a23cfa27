// `memoir persona …`
import type { Command } from 'commander'
import { type ChatProvider, chatProviders } from '../domain/chat-model.ts'
import { AppError } from '../domain/errors.ts'
import type { Run } from './connection.ts'
import { printFields, printTable, waiting } from './print.ts'
import { shareCommand } from './share.ts'

type Options = {
  name?: string
  picture?: string
  threshold?: string
  instructions?: string
  model?: string
  modelProvider?: string
  modelUrl?: string
  modelKey?: string
  requiresSourceName?: string
  ownerName?: string
  ownerEmail?: string
  json?: boolean
  yes?: boolean
}

export function personaCommands(program: Command, run: Run): void {
  const persona = program.command('persona').description('create, list, show, change, share and delete personas')

  withFields(persona.command('create <domain-name>').description('create a persona')).action(
    (domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const created = await admin.createPersona({
          domain_name: domainName,
          ...fields(options),
          name: options.name ?? domainName,
        })
        show(created, options.json)
      }),
  )

  persona
    .command('list')
    .description('list the personas')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      run(async ({ admin }) => {
        const { personas } = await admin.listPersonas({})
        if (options.json) return show({ personas }, true)
        const rows = personas.map(({ domain_name, name, threshold, created_at }) => ({
          domain_name,
          name,
          threshold,
          created: created_at.slice(0, 10),
        }))
        printTable(rows, 'No personas yet. Create one: memoir persona create my-persona')
      }),
    )

  persona
    .command('reembed <domain-name>')
    .description('embed the memories that the embedding model in use has not seen; the persona answers meanwhile')
    .action((domainName: string) =>
      run(async ({ admin }) => {
        const { embedder, embedded } = await waiting(
          'Embedding; what is embedded stays so, also if this is broken off',
          admin.reembedPersona({ domain_name: domainName }),
        )
        console.log(`${embedded} memories embedded with ${embedder}.`)
      }),
    )

  persona
    .command('show <domain-name>')
    .description('show one persona')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => show(await admin.getPersona({ domain_name: domainName }), options.json)),
    )

  withFields(persona.command('set <domain-name>').description('change a persona')).action(
    (domainName: string, options: Options) =>
      run(async ({ admin }) =>
        show(await admin.changePersona({ domain_name: domainName, ...fields(options) }), options.json),
      ),
  )

  shareCommand(persona, run)

  persona
    .command('delete <domain-name>')
    .description('delete a persona and everything it knows')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const named = await admin.getPersona({ domain_name: domainName })
        if (!options.yes && !(await isSure(named.domain_name))) return console.log('Nothing was deleted.')
        show((await admin.deletePersona({ domain_name: domainName })).deleted, options.json)
      }),
    )
}

const withFields = (command: Command): Command =>
  command
    .option('--name <name>', 'the name people see')
    .option('--picture <url>', 'address of a picture')
    .option('--threshold <0-100>', 'withhold replies that score below it')
    .option('--instructions <text>', 'the voice of the persona')
    .option('--model <name>', "a chat model of its own; 'none' goes back to that of the settings")
    .option('--model-provider <provider>', `its provider: ${chatProviders.join(', ')}`)
    .option('--model-url <url>', 'its base address')
    .option('--model-key <key>', 'its key, if it asks for one')
    .option('--requires-source-name <yes|no>', 'yes: refuse messages without SourceName')
    .option('--owner-name <name>', "the owner's name")
    .option('--owner-email <address>', "the owner's e-mail address")
    .option('--json', 'print JSON')

const fields = ({ name, picture, threshold, instructions, ownerName, ownerEmail, ...options }: Options) => ({
  ...(options.requiresSourceName !== undefined && { requires_source_name: yesOrNo(options.requiresSourceName) }),
  ...(name !== undefined && { name }),
  ...(picture !== undefined && { picture }),
  ...(threshold !== undefined && { threshold: Number(threshold) }),
  ...(instructions !== undefined && { instructions }),
  ...modelOf(options),
  ...((ownerName !== undefined || ownerEmail !== undefined) && {
    owner: {
      ...(ownerName !== undefined && { name: ownerName }),
      ...(ownerEmail !== undefined && { email: ownerEmail }),
    },
  }),
})

function yesOrNo(word: string): boolean {
  if (word !== 'yes' && word !== 'no') throw new AppError('invalid', '--requires-source-name is yes or no.')
  return word === 'yes'
}

function modelOf({ model, modelProvider, modelUrl, modelKey }: Options) {
  if (model === undefined) {
    if (modelProvider ?? modelUrl ?? modelKey)
      throw new AppError(
        'invalid',
        'Name the model, too: --model NAME goes with --model-provider, --model-url, --model-key.',
      )
    return {}
  }
  if (model === 'none') return { model: null }
  return { model: { provider: modelProvider as ChatProvider, url: modelUrl, name: model, key: modelKey } }
}

async function isSure(domainName: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('Not a terminal: add --yes to delete without being asked.')
    return false
  }
  const { text } = await import('@clack/prompts')
  const typed = await text({ message: `This deletes everything ${domainName} knows. Type its domain name to go on:` })
  return typed === domainName
}

function show(thing: object, json: boolean | undefined): void {
  if (json) console.log(JSON.stringify(thing, null, 2))
  else printFields(thing as Record<string, unknown>)
}
