// `memoir learn`: gives a persona files, URLs or standard input, and shows the progress until it knows them.
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { progress } from '@clack/prompts'
import type { Command } from 'commander'
import { limits } from '../contract/limits.ts'
import { AppError } from '../domain/errors.ts'
import { newId } from '../domain/id.ts'
import type { Connection, Run } from './connection.ts'

type Options = { title?: string; tags?: string; time?: string; draft?: boolean; json?: boolean }

export function learnCommand(program: Command, run: Run): void {
  program
    .command('learn <domain-name> <sources...>')
    .description('teach a persona files, URLs, or - for standard input')
    .option('--title <title>', 'title of the document')
    .option('--tags <list>', 'comma-separated tags')
    .option('--time <time>', 'the time the content speaks of')
    .option('--draft', 'keep it as a draft')
    .option('--json', 'print JSON')
    .action((domainName: string, sources: string[], options: Options) =>
      run(async (connection) => {
        const failures: string[] = []
        for (const source of sources)
          await learnSource(connection, domainName, source, options).catch((error: unknown) => {
            if (!(error instanceof AppError) || sources.length === 1) throw error
            console.error(error.message)
            failures.push(source)
          })
        if (failures.length > 0) throw new AppError('invalid', `Not learned: ${failures.join(', ')}`)
      }),
    )
}

async function learnSource(
  connection: Connection,
  domainName: string,
  source: string,
  options: Options,
): Promise<void> {
  const requestId = newId()
  const bar = !options.json && process.stdout.isTTY ? progress({ max: 100 }) : undefined
  bar?.start(`Reading ${source}`)
  try {
    const { message } = await send(connection, domainName, source, requestId, options)
    const document = connection.seesWork
      ? await untilLearned(connection, domainName, requestId, (percent) => bar?.advance(percent))
      : undefined
    if (document?.state === 'failed') throw new AppError('unreadable', `${source}: ${document.error}`)
    const said = document ? `Learned ${document.title}` : `${message} (only an admin key can watch it being learned)`
    if (options.json) console.log(JSON.stringify(document ?? { message }, null, 2))
    else if (bar) bar.stop(said)
    else console.log(said)
  } catch (error) {
    bar?.error(`Not learned: ${source}`)
    throw error
  }
}

async function send({ service }: Connection, domainName: string, source: string, requestId: string, options: Options) {
  const fields = {
    DomainName: domainName,
    is_stack: !options.draft,
    ...(options.title && { Title: options.title }),
    ...(options.tags && { Tags: options.tags }),
    ...(options.time && { StartTime: options.time }),
  }
  const calls = service({ requestId })
  if (source === '-') return calls.uploadText({ ...fields, Text: await readAll(process.stdin) })
  if (/^https?:\/\//i.test(source)) return calls.uploadUrl({ ...fields, Url: source })
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new AppError('invalid', `${source} is a folder: name the files in it.`)
  if (!stat?.isFile()) throw new AppError('invalid', `${source} is neither a file nor a URL.`)
  const pieces = () => createReadStream(source, { highWaterMark: limits.filePieceBytes })
  return calls.uploadFile(fields, {}, { name: basename(source), mediaType: null, size: stat.size, pieces })
}

const LONGEST_PAUSE_MS = 1_000

async function untilLearned(
  { admin }: Connection,
  domainName: string,
  requestId: string,
  advance: (by: number) => void,
) {
  let shown = 0
  let pauseMs = 100
  for (;;) {
    const { documents } = await admin.listDocuments({ domain_name: domainName, request_id: requestId, limit: 1 })
    const document = documents[0]
    if (!document || document.state === 'ready' || document.state === 'failed') {
      advance(100 - shown)
      return document
    }
    if (document.progress > shown) advance(document.progress - shown)
    shown = Math.max(shown, document.progress)
    await pause(pauseMs)
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
  }
}
