// `memoir model …`
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { AppError } from '../domain/errors.ts'
import type { Connection, Run } from './connection.ts'
import { printFields, printTable, waiting } from './print.ts'

type Options = { json?: boolean; sha256?: string }

export function modelCommands(program: Command, run: Run): void {
  const model = program.command('model').description('chat models in the same service: get, list, try and remove them')

  model
    .command('get <from>')
    .description(
      'from an address, from Hugging Face (owner/repository/file.gguf), or from a file; resumes what broke off',
    )
    .option('--sha256 <digits>', 'refuse a file that has another SHA-256')
    .action((from: string, { sha256 }: Options) =>
      run(async (connection) => {
        const fields = sha256 === undefined ? {} : { sha256 }
        const name = isFile(from)
          ? await waiting('Copying', connection.files.addModel(resolve(from), fields))
          : await fetchModel(connection, from, fields)
        console.log(`${name} is there. Try it: memoir model try ${name}`)
        console.log(`For all personas: MEMOIR_CHAT_PROVIDER=local MEMOIR_CHAT_MODEL=${name}`)
        console.log(`For one: memoir persona set DOMAIN-NAME --model ${name} --model-provider local`)
        const { missing } = await connection.admin.listModels({})
        if (missing) console.log(missing)
      }),
    )

  model
    .command('list')
    .description('list the models, and what each needs')
    .option('--json', 'print JSON')
    .action(({ json }: Options) =>
      run(async ({ admin }) => {
        const found = await admin.listModels({})
        if (json) return console.log(JSON.stringify(found, null, 2))
        const rows = found.models.map(({ name, state, bytes, context_tokens, wrong }) => ({
          name,
          state,
          mib: mib(bytes),
          context_tokens,
          wrong,
        }))
        printTable(rows, `No models yet. Get one: memoir model get FILE.gguf (or put it into ${found.folder})`)
        if (found.missing) console.log(found.missing)
      }),
    )

  model
    .command('try <name>')
    .description('ask a model one question, to see whether it answers and how quickly')
    .option('--json', 'print JSON')
    .action((name: string, { json }: Options) =>
      run(async ({ admin }) => {
        const tried = await waiting('Asking', admin.tryModel({ id: name }))
        if (json) console.log(JSON.stringify(tried, null, 2))
        else printFields(tried)
      }),
    )

  model
    .command('remove <name>')
    .description('delete the file of a model')
    .action((name: string) =>
      run(async ({ admin }) => console.log(`${(await admin.removeModel({ id: name })).removed} is removed.`)),
    )
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const LOOK_MS = 300

async function fetchModel({ admin }: Connection, from: string, fields: Options): Promise<string> {
  const { name } = await admin.getModel({ from, ...fields })
  for (;;) {
    const one = (await admin.listModels({})).models.find((model) => model.name === name)
    show(one ? `${name}: ${mib(one.bytes)} of ${mib(one.total_bytes ?? 0)} MiB` : name)
    if (one?.state !== 'fetching') {
      show('\n')
      if (one?.state === 'ready') return name
      throw new AppError('unreachable', one?.wrong ?? `${name} was removed meanwhile.`)
    }
    await wait(LOOK_MS)
  }
}

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

// At a terminal only, on one line.
function show(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(progress === '\n' ? '\n' : `\r${progress}`)
}
