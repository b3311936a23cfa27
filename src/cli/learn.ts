// `memoir learn`: gives a persona files, folders, exports of other programs, URLs or standard input, and shows the
// progress until it knows them.
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
import { filesIn, packed } from './folder.ts'

type Options = { title?: string; tags?: string; time?: string; draft?: boolean; json?: boolean }

export function learnCommand(program: Command, run: Run): void {
  program
    .command('learn <domain-name> <sources...>')
    .description('teach a persona files, folders, exports of other programs, URLs, or - for standard input')
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
  const bar = !options.json && process.stdout.isTTY ? progress({ max: 100 }) : undefined
  bar?.start(`Reading ${source}`)
  const say = (said: string) => (bar ? bar.stop(said) : console.log(said))
  try {
    const isFile = source !== '-' && !/^https?:\/\//i.test(source)
    if (isFile && connection.seesWork) {
      for (const document of await learnPath(connection, domainName, source, options, bar))
        options.json ? console.log(JSON.stringify(document, null, 2)) : say(told(document))
      return
    }
    const requestId = newId()
    const { message } = await send(connection, domainName, source, requestId, options)
    const document = connection.seesWork
      ? await untilLearned(() => documentOf(connection, domainName, requestId), bar)
      : undefined
    if (document?.state === 'failed') throw new AppError('unreadable', `${source}: ${document.error}`)
    if (options.json) console.log(JSON.stringify(document ?? { message }, null, 2))
    else say(document ? told(document) : `${message} (only an admin key can watch it being learned)`)
  } catch (error) {
    bar?.error(`Not learned: ${source}`)
    throw error
  }
}

type Bar = ReturnType<typeof progress> | undefined
type Learned = { id: string; kind: string; title: string; state: string; error: string | null; progress: number }

// With what of it could not be read.
const told = ({ kind, title, error, text }: Learned & { text?: string }): string =>
  [`Learned ${title}`, kind === 'collection' && text, error].filter(Boolean).join('\n')

// A folder that is an export is learned as a whole, any other file by file.
async function learnPath(connection: Connection, domainName: string, source: string, options: Options, bar: Bar) {
  const stat = statSync(source, { throwIfNoEntry: false })
  if (!stat?.isFile() && !stat?.isDirectory()) throw new AppError('invalid', `${source} is neither a file nor a URL.`)
  const learn = (path: string, name: string, isExport = false) =>
    learnFile(connection, domainName, path, name, { ...options, isExport }, bar)
  if (stat.isFile()) return [await learn(source, basename(source))]
  try {
    return [await packed(source, (path, name) => learn(path, name, true))]
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unreadable') throw error
    const documents = []
    for await (const { path, name } of filesIn(source)) documents.push(await learn(path, name))
    return documents
  }
}

// A file of whatever kind: the service sees what it is.
async function learnFile(
  connection: Connection,
  domainName: string,
  path: string,
  name: string,
  options: Options & { isExport: boolean },
  bar: Bar,
) {
  const { files, admin } = connection
  const { id } = await files.learnFile(path, {
    domain_name: domainName,
    file_name: name,
    draft: options.draft ?? false,
    only_export: options.isExport,
    ...(options.title && { title: options.title }),
    ...(options.tags && { tags: options.tags }),
    ...(options.time && { start_time: options.time }),
  })
  const document = await untilLearned(() => admin.getDocument({ domain_name: domainName, id }), bar)
  if (document?.state === 'failed') throw new AppError('invalid', `${name}: ${document.error}`)
  if (document?.kind === 'collection') await untilAllLearned(connection, domainName, id, bar)
  return document!
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
  if (stat?.isDirectory()) throw new AppError('invalid', `${source} is a folder: only an admin key can learn one.`)
  if (!stat?.isFile()) throw new AppError('invalid', `${source} is neither a file nor a URL.`)
  const pieces = () => createReadStream(source, { highWaterMark: limits.filePieceBytes })
  return calls.uploadFile(fields, {}, { name: basename(source), mediaType: null, size: stat.size, pieces })
}

const LONGEST_PAUSE_MS = 1_000

async function documentOf({ admin }: Connection, domainName: string, requestId: string): Promise<Learned | undefined> {
  const { documents } = await admin.listDocuments({ domain_name: domainName, request_id: requestId, limit: 1 })
  return documents[0]
}

async function untilLearned<T extends Learned>(look: () => Promise<T | undefined>, bar: Bar): Promise<T | undefined> {
  let shown = 0
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const document = await look()
    if (!document || document.state === 'ready' || document.state === 'failed') {
      bar?.advance(100 - shown)
      return document
    }
    if (document.progress > shown) bar?.advance(document.progress - shown)
    shown = Math.max(shown, document.progress)
    await pause(pauseMs)
  }
}

// What came out of a collection is learned document by document.
async function untilAllLearned({ admin }: Connection, domainName: string, id: string, bar: Bar): Promise<void> {
  const open = async (state: 'waiting' | 'reading') => {
    const asked = { domain_name: domainName, request_id: id, state, limit: limits.pageSize }
    return (await admin.listDocuments(asked)).documents.length
  }
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const left = (await open('waiting')) + (await open('reading'))
    if (left === 0) return
    bar?.message(`${left >= limits.pageSize ? `${limits.pageSize} or more` : left} documents to learn`)
    await pause(pauseMs)
  }
}
