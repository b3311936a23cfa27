// Learning a book: how close it comes to the bare embedder, and what it does to those who ask meanwhile.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setAdminKey } from '../src/app/keys/new-key.ts'
import { readConfig } from '../src/config.ts'
import { ownerKey } from '../src/domain/access.ts'
import { createExtractor } from '../src/extract/extractor.ts'
import { split } from '../src/extract/split.ts'
import { createEmbedder } from '../src/models/embedder.ts'
import { type Running, start } from '../src/start.ts'

const WORDS = 300 * 300 // 300 pages

export async function run(): Promise<string> {
  const source = join(process.env.MEMOIR_EVAL ?? '../shared/eval', 'squad2/paragraphs.jsonl')
  if (!existsSync(source))
    return `# Learning\n\nNot measured: ${source} is not there. Set MEMOIR_EVAL to the folder that holds the data sets.`
  const text = book(source)
  const pieces = await piecesOf(text)
  const folder = mkdtempSync(join(tmpdir(), 'memoir-bench-'))
  const running = await start(
    readConfig({ MEMOIR_PORT: '0', MEMOIR_DATA: folder, MEMOIR_RATE_LIMIT: '0', MEMOIR_LOG: 'error' }),
  )
  const ask = await asker(running)
  await ask.learnNotes()

  const idle = await ask.latencies(60)
  const bare: number[] = []
  const learned: number[] = []
  let meanwhile: number[] = []
  // Interleaved, so that the machine's other work falls on both; the better of two each.
  for (let round = 0; round < 2; round++) {
    bare.push(await embedAlone(pieces))
    learned.push(await ask.learnBook(text))
  }
  const during = ask.learnBook(text)
  meanwhile = await ask.latencies(60)
  await during
  await running.close()
  rmSync(folder, { recursive: true, force: true })

  const ratio = Math.min(...bare) / Math.min(...learned)
  const slower = median(meanwhile) / median(idle)
  return [
    '# Learning',
    '',
    `A book of 300 pages (${WORDS} words, ${pieces.length} memories), uploaded as one document, until it is ready; beside it`,
    'the shipped embedder alone on the same pieces, in the same run.',
    '',
    '| | seconds | |',
    '|---|---|---|',
    `| the embedder alone | ${Math.min(...bare).toFixed(1)} | |`,
    `| the service, from upload to ready | ${Math.min(...learned).toFixed(1)} | **${(100 * ratio).toFixed(0)} %** of the embedder's throughput (aim ≥ 85 %) |`,
    '',
    '| a message | median ms | 90th of 100 |',
    '|---|---|---|',
    `| nothing else going on | ${median(idle).toFixed(1)} | ${quantile(idle, 0.9).toFixed(1)} |`,
    `| while the book is learned | ${median(meanwhile).toFixed(1)} | ${quantile(meanwhile, 0.9).toFixed(1)} |`,
    `| | **${slower.toFixed(2)}×** (aim ≤ 1.5×) | ${(quantile(meanwhile, 0.9) / quantile(idle, 0.9)).toFixed(2)}× |`,
  ].join('\n')
}

function book(source: string): string {
  const paragraphs = readFileSync(source, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { title: string; text: string })
  const parts: string[] = []
  let words = 0
  let title = ''
  for (let at = 0; words < WORDS; at = (at + 1) % paragraphs.length) {
    const one = paragraphs[at]!
    if (one.title !== title) parts.push(`# ${one.title.replaceAll('_', ' ')}`)
    title = one.title
    parts.push(one.text)
    words += one.text.split(' ').length
  }
  return parts.join('\n\n').slice(0, 990_000)
}

async function piecesOf(text: string): Promise<string[]> {
  const extractor = createExtractor()
  const read = await extractor.extract({ bytes: Buffer.from(text), name: null, mediaType: null, kind: 'text' })
  await extractor.close()
  return split(read).map((piece) => `${piece.headings.join(', ')}: ${piece.text}`)
}

async function embedAlone(pieces: string[]): Promise<number> {
  const embedder = createEmbedder()
  await embedder.embed([], 'memory')
  const began = performance.now()
  await embedder.embed(pieces, 'memory')
  const seconds = (performance.now() - began) / 1000
  await embedder.close()
  return seconds
}

async function asker({ url, app, store }: Running) {
  await setAdminKey(store, 'admin-key-of-the-benchmark')
  const admin = app.admin({ key: ownerKey, requestId: 'bench' })
  await admin.createPersona({ domain_name: 'reader', name: 'Reader' })
  await admin.createPersona({ domain_name: 'asked', name: 'Asked' })
  const { key } = await admin.createKey({ personas: '*' })
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }
  const learned = async () => {
    while ((await store.work.counts()).pending > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    async learnNotes() {
      for (let i = 0; i < 200; i++)
        await post('memory', {
          DomainName: 'asked',
          SourceName: 'bench',
          Text: `Shelf ${i} holds the box with number ${(i * 7919) % 1000}.`,
        })
      await learned()
    },
    async learnBook(text: string): Promise<number> {
      const began = performance.now()
      await post('upload-text', { DomainName: 'reader', Title: 'Book', Text: text })
      await learned()
      const seconds = (performance.now() - began) / 1000
      const { documents } = await admin.listDocuments({ domain_name: 'reader' })
      for (const { id } of documents) await admin.deleteDocument({ domain_name: 'reader', id })
      return seconds
    },
    async latencies(count: number): Promise<number[]> {
      const taken: number[] = []
      for (let i = 0; i < count; i++) {
        const began = performance.now()
        await post('message', { DomainName: 'asked', Text: `What does shelf ${i} hold?` })
        taken.push(performance.now() - began)
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      return taken.slice(5)
    },
  }
}

const quantile = (values: number[], at: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * at)]!
const median = (values: number[]): number => quantile(values, 0.5)
