// Every example of examples/, run as its README says, against one started service.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startService } from './started.ts'

const folder = join(import.meta.dirname, '../examples')
const service = await startService()
await service.persona('ada-l')
const key = await service.key(['ada-l'])
const { NODE_TEST_CONTEXT: _, ...own } = process.env
const settings = { MEMOIR_URL: service.url, MEMOIR_KEY: key, PERSONA: 'ada-l' }
const env = { ...own, ...settings, PYTHONDONTWRITEBYTECODE: '1' }
const run = promisify(execFile)

await service.call({
  path: '/v1/upload-text',
  key,
  body: { DomainName: 'ada-l', Title: 'Pets', Text: 'The cat is called Turing. He is nine years old.' },
})
await service.learned()

const without = async (program: string): Promise<string | false> => {
  const isThere = await run(program, ['--version']).then(
    () => true,
    () => false,
  )
  if (!isThere) console.log(`An example: skipped, there is no ${program}.`)
  return !isThere && `no ${program}`
}
const [noCurl, noPython] = [await without('curl'), await without('python3')]

describe('the examples', { concurrency: 3 }, () => {
  test('curl.sh', { skip: noCurl }, async () => {
    const { stdout } = await run('sh', [join(folder, 'curl.sh')], { env })
    assert.match(stdout, /file accepted and processing/)
    assert.match(stdout, /"ai_message":"[^"]*Hopper/)
    assert.match(stdout, /data: \[DONE\]/)
    assert.equal(JSON.parse(stdout.trim().split('\n').at(-1)!).length, 4)
  })

  for (const [name, program, skip] of [
    ['ask.ts', process.execPath, false],
    ['ask.py', 'python3', noPython],
  ] as const)
    test(name, { skip }, async () => {
      const { stdout } = await run(program, [join(folder, name), 'What is the cat called?'], { env })
      assert.match(stdout, /Ada \([\d.]+ %\): .*Turing[\s\S]* {2}from (?:Pets|The cat)\n[\s\S]*nine/)
      assert.match(stdout, /Refused with 403: AI message api unauthorized\./)
    })

  test('bot.ts at the terminal', async () => {
    const running = run(process.execPath, [join(folder, 'bot.ts')], { env })
    running.child.stdin!.end('What is the cat called?\nHow old is he?\n')
    const { stdout } = await running
    assert.match(stdout, /Turing[\s\S]*nine/)
  })

  test('bot.ts as a web hook', async () => {
    const url = await listening('bot.ts')
    const say = async (body: string) => (await (await fetch(url, { method: 'POST', body })).json()) as { text: string }
    assert.match((await say(JSON.stringify({ user: 'bea', text: 'What is the cat called?' }))).text, /Turing/)
    assert.match((await say('nonsense')).text, /did not work/)
  })

  test('form.ts', async () => {
    const url = await listening('form.ts')
    assert.match(await (await fetch(url)).text(), /<form method="post">/)
    const body = new URLSearchParams({ question: 'What is the cat called? "<b>' })
    const page = await (await fetch(url, { method: 'POST', body })).text()
    assert.match(page, /Turing/)
    assert.doesNotMatch(page, /<b>|memoir_/)
  })

  test('n8n.json', async () => {
    const { nodes } = JSON.parse(readFileSync(join(folder, 'n8n.json'), 'utf8'))
    const { method, url, headerParameters, jsonBody } = nodes[1].parameters
    const filled = (text: string): string =>
      new Function('$env', '$json', `return ${/^=\{\{(.*)\}\}$/.exec(text)![1]}`)(settings, {
        body: { text: 'What is the cat called?' },
      })
    const [{ name, value }] = headerParameters.parameters
    const headers = { [name]: filled(value), 'content-type': 'application/json' }
    const answer = await fetch(filled(url), { method, headers, body: filled(jsonBody) })
    assert.match(((await answer.json()) as { ai_message: string }).ai_message, /Turing/)
  })

  test('activepieces.json', async () => {
    const values: Record<string, string> = { ...settings, 'trigger.body.text': 'What is the cat called?' }
    const text = readFileSync(join(folder, 'activepieces.json'), 'utf8')
    const filled = text.replaceAll(/\{\{([\w.]+)\}\}/g, (whole, name: string) => values[name] ?? whole)
    const { method, url, headers, body } = JSON.parse(filled)
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
    assert.match(((await answer.json()) as { ai_message: string }).ai_message, /Turing/)
  })
})

// On a port of the system's choice, which it says when it listens.
async function listening(name: string): Promise<string> {
  const child = spawn(process.execPath, [join(folder, name)], { env: { ...env, PORT: '0' } })
  after(() => child.kill())
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return `http://127.0.0.1:${/"port":(\d+)/.exec(String(said))![1]}/`
}
