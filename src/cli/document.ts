// `memoir document …`: one document of a persona, shown, replaced, published, learned again, saved or deleted.
import { readFileSync, statSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { writeWhole } from '../app/backups/backup-file.ts'
import { AppError } from '../domain/errors.ts'
import type { Connection, Run } from './connection.ts'
import { printFields } from './print.ts'

type Options = { json?: boolean; text?: boolean }

export function oneDocumentCommands(program: Command, run: Run): void {
  const document = program.command('document').description('one document of a persona; its id is in memoir documents')
  const command = (name: string, description: string) =>
    document.command(name).description(description).option('--json', 'print JSON')

  command('show <domain-name> <id>', 'show a document and its text')
    .option('--text', 'print the text alone')
    .action((domainName: string, id: string, { json, text }: Options) =>
      run(async ({ admin }) => {
        const found = await admin.getDocument({ domain_name: domainName, id })
        if (json) return print(found)
        if (text) return console.log(found.text)
        const { text: whole, ...fields } = found
        printFields(fields)
        console.log(`\n${whole}`)
      }),
    )

  command(
    'replace <domain-name> <id> <file>',
    'replace the whole text of a document; - reads it from standard input',
  ).action((domainName: string, id: string, file: string, { json }: Options) =>
    run(async ({ service }) => {
      const changed = await service().updateDocument(
        { DomainName: domainName, Text: await textOf(file) },
        { feed_id: id },
      )
      if (json) print(changed)
      else console.log('Replaced; the text before it is kept as a revision. The persona learns the new one now.')
    }),
  )

  command('publish <domain-name> <id>', 'let a draft join memory').action(
    (domainName: string, id: string, { json }: Options) =>
      run(async ({ admin }) => {
        const published = await admin.publishDocument({ domain_name: domainName, id })
        if (json) print(published)
        else console.log(`Published: ${published.title || published.id}`)
      }),
  )

  command('retry <domain-name> <id>', 'learn a document again that failed').action(
    (domainName: string, id: string, { json }: Options) =>
      run(async ({ admin }) => {
        const retried = await admin.retryDocument({ domain_name: domainName, id })
        if (json) print(retried)
        else console.log(`It waits to be learned again: ${retried.title || retried.id}`)
      }),
  )

  command('file <domain-name> <id> <file>', 'save the file that a document came from').action(
    (domainName: string, id: string, file: string, { json }: Options) =>
      run(async ({ admin }) => {
        const bytes = await writeWhole(file, piecesOf(admin, domainName, id))
        if (json) print({ file, bytes })
        else console.log(`${file}: ${bytes} bytes.`)
      }),
  )

  command('delete <domain-name> <id>', 'delete a document with its memories, revisions and file').action(
    (domainName: string, id: string, { json }: Options) =>
      run(async ({ admin }) => {
        const { deleted } = await admin.deleteDocument({ domain_name: domainName, id })
        if (json) print(deleted)
        else printFields({ ...deleted })
      }),
  )
}

const print = (thing: object): void => console.log(JSON.stringify(thing, null, 2))

async function textOf(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new AppError('not_found', `There is no file ${file}. Name a file with the new text, or - for standard input.`)
  return readFileSync(file, 'utf8')
}

async function* piecesOf(admin: Connection['admin'], domainName: string, id: string): AsyncGenerator<Uint8Array> {
  for (let from: number | null = 0; from !== null; ) {
    const piece: { base64: string; next: number | null } = await admin.readFile({ domain_name: domainName, id, from })
    yield Buffer.from(piece.base64, 'base64')
    from = piece.next
  }
}
