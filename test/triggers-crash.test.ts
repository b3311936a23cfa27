// Sender and receiver of webhooks are killed in the middle of it: nothing is lost, and what comes twice has the same id.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { kill, type Launched, launch } from './launched.ts'
import { type Received, verify } from './receiver.ts'
import { ADMIN_KEY, startService, temporaryFolder } from './started.ts'

const SENDER_KILLS = 2
const CALLERS = 3
const EACH = 15 // messages acknowledged before something is killed
const folder = temporaryFolder()
const file = join(folder, 'received.jsonl')
const env = {
  MEMOIR_DATA: join(folder, 'data'),
  MEMOIR_RATE_LIMIT: '0',
  MEMOIR_READER: '0',
  MEMOIR_ADMIN_KEY: ADMIN_KEY,
  MEMOIR_ALLOW_PRIVATE_URLS: '1',
}

let receiver: ChildProcess
let sender: Launched
after(() => receiver?.kill('SIGKILL'))
after(() => sender && kill(sender))

async function startReceiver(port: number): Promise<number> {
  receiver = spawn(process.execPath, ['test/receiver-process.ts', String(port), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => receiver.stdout!.once('data', (chunk) => resolve(Number(chunk))))
}

const received = (): Received[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map((one) => ({ ...one, event: JSON.parse(one.body) }))
    : []

const say = (key: string, Text: string) =>
  fetch(`${sender.url}/v1/message`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ DomainName: 'ada-l', Text }),
  })

test('kill -9 of sender and receiver loses nothing that was acknowledged', { timeout: 300_000 }, async (context) => {
  const port = await startReceiver(0)
  const first = await startService(env)
  await first.persona('ada-l')
  const key = await first.key(['ada-l'])
  const trigger = { name: 'x', on: ['message.received'], deliver: { url: `http://127.0.0.1:${port}/` } }
  const { secret } = await first.admin('POST', '/personas/ada-l/triggers', trigger)
  await first.close()
  sender = await launch(env)

  const acknowledged = new Set<string>()
  let number = 0
  const talkFor = async (act: () => Promise<unknown>) => {
    let isOver = false
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const Text = `message ${number++} of the crash test`
        const answer = await say(key, Text).catch(() => undefined)
        if (answer?.status === 200) acknowledged.add(Text)
      }
    })
    for (const before = acknowledged.size; acknowledged.size < before + EACH; ) await wait(5)
    await act()
    isOver = true
    await Promise.all(callers)
  }
  for (let n = 0; n < SENDER_KILLS; n++) {
    await talkFor(() => kill(sender))
    sender = await launch(env)
  }
  await talkFor(async () => {
    receiver.kill('SIGKILL')
    await wait(200)
    await startReceiver(port)
  })

  const missing = () => {
    const told = new Set(received().map(({ event }) => event.data.text))
    return [...acknowledged].filter((text) => !told.has(text))
  }
  // Those that met no receiver are tried again some seconds later.
  for (const until = Date.now() + 60_000; missing().length > 0 && Date.now() < until; ) await wait(100)
  assert.deepEqual(missing(), [])
  const bodies = new Map<string, string>()
  const ids = new Map<string, Set<string>>()
  for (const one of received()) {
    assert.equal(bodies.get(one.id) ?? one.body, one.body)
    bodies.set(one.id, one.body)
    verify(secret, one)
    const { text } = one.event.data
    ids.set(text, (ids.get(text) ?? new Set()).add(one.id))
  }
  for (const [text, of] of ids) assert.equal(of.size, 1, text)
  context.diagnostic(`${acknowledged.size} acknowledged, ${received().length} received under ${bodies.size} ids`)
})
