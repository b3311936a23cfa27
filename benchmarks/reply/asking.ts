// Questions put through POST /v1/message to personas that learned their texts through the interface; replies are kept, for two reports use them.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setAdminKey } from '../../src/app/keys/new-key.ts'
import { readConfig } from '../../src/config.ts'
import { type Running, start } from '../../src/start.ts'
import { createKeptEmbedder } from '../recall/kept-embedder.ts'
import { evalFolder } from '../recall/sets.ts'
import { type Asked, isUnseen, type SetName, sets, type Taught } from './sets.ts'

export type Replied = Omit<Asked, 'before'> & { set: SetName; reply: string; score: number }

// SQuAD 2 and LoCoMo have many questions: MEMOIR_BENCH_EVERY=1 asks them all, 4 every fourth of LoCoMo and of the articles
// of SQuAD 2 that the reader was trained on.
const EVERY_NTH = Number(process.env.MEMOIR_BENCH_EVERY ?? 4)

export const isAsked = (set: SetName, { kind }: Asked, at: number): boolean =>
  at % EVERY_NTH === 0 || !(set === 'locomo' || (set === 'squad2' && !isUnseen(set, kind)))

export async function replies(set: SetName, { reader = true } = {}): Promise<Replied[]> {
  const folder = join(tmpdir(), 'memoir-bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `replies-${set}-${EVERY_NTH}-${reader ? 'read' : 'unread'}-${version()}.jsonl`)
  if (!existsSync(file)) await ask(set, reader, file)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

// Replies change with the texts, the models and the code that speaks.
function version(): string {
  const hash = createHash('sha256').update(evalFolder)
  const root = join(import.meta.dirname, '../..')
  for (const file of ['weights/reader/SHA256SUMS', 'weights/score/score.json'])
    hash.update(readFileSync(join(root, file)))
  for (const folder of ['src/reply', 'src/recall'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/(?<!\.test)\.ts$/.test(file)) hash.update(readFileSync(join(root, folder, file)))
  return hash.digest('hex').slice(0, 12)
}

const KEY = 'admin-key-of-the-benchmark'

async function ask(set: SetName, reader: boolean, file: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'memoir-reply-'))
  const embedder = createKeptEmbedder(set)
  const settings = {
    MEMOIR_DATA: data,
    MEMOIR_PORT: '0',
    MEMOIR_LOG: 'error',
    MEMOIR_RATE_LIMIT: '0',
    MEMOIR_READER: reader ? '1' : '0',
  }
  const service = await start(readConfig(settings), { embedder })
  const part = `${file}.${process.pid}.part` // another run may be asking the same
  let count = 0
  try {
    await setAdminKey(service.store, KEY)
    for (const taught of sets[set]()) {
      const { DomainName, key } = await teach(service, taught)
      for (const [at, question] of taught.questions.entries()) {
        if (!isAsked(set, question, at)) continue
        const { before, ...asked } = question
        const SessionId = `question-${at}`
        await remember(service, DomainName, SessionId, before)
        const answer = await post(service, '/v1/message', key, { DomainName, SessionId, Text: asked.text })
        const row: Replied = { ...asked, set, reply: answer.ai_message, score: answer.ai_score }
        appendFileSync(part, `${JSON.stringify(row)}\n`)
        if (++count % 100 === 0) console.error(set, count)
      }
    }
    renameSync(part, file)
  } finally {
    await service.close()
    rmSync(data, { recursive: true, force: true })
  }
}

export async function teach(service: Running, { name, items }: Taught): Promise<{ DomainName: string; key: string }> {
  const DomainName = name.replaceAll(/[^a-z0-9-]/g, '-')
  await post(service, '/admin/personas', KEY, { domain_name: DomainName, name: 'Bench' })
  const { key } = await post(service, '/admin/keys', KEY, { personas: [DomainName] })
  for (const { text, time, title } of items)
    if (title === undefined)
      await post(service, '/v1/memory', key, { DomainName, Text: text, SourceName: 'bench', Createdtime: time })
    else await post(service, '/v1/upload-text', key, { DomainName, Text: text, Title: title, is_stack: true })
  await service.learned()
  return { DomainName, key }
}

// What was said before the question, put into its session as it was said.
async function remember({ store }: Running, domainName: string, sessionId: string, before: Asked['before']) {
  if (before.length === 0) return
  const { id: personaId } = (await store.personas.byDomainName(domainName))!
  const shared = { personaId, sessionId, score: 0, sourceApp: 'bench', userName: null, metadata: {}, time: new Date() }
  const messages = before.map((turn, at) => ({ ...shared, ...turn, id: `${sessionId}-${at}` }))
  await store.conversations.record({ messages })
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the operation answers
export async function post(service: Running, path: string, key: string, body: object): Promise<any> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
