// Callers that hold on, guess, or want everything at once: they are told to wait, and everybody else is served.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { ADMIN_KEY, startAttacked } from './attacked.ts'

const service = await startAttacked({ MEMOIR_READER: '0' })
await service.persona('ada-l')
await service.persona('bob')
const key = await service.key('ada-l')
const quiet = await service.key('bob')
const { port } = new URL(service.url)

type Sent = { status: number; retryAfter: string | undefined }

// From an address of its own: on Linux every address of 127/8 is this machine.
function sender(localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20, localAddress })
  return (path: string, headers: Record<string, string>, body: object): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const options = { port, path, method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } }
      const sent = request({ host: '127.0.0.1', ...options }, (answer) => {
        answer
          .resume()
          .on('end', () => resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'] }))
      })
      sent.on('error', reject).end(JSON.stringify(body))
    })
}
const counted = (answers: Sent[]) => Object.groupBy(answers, ({ status }) => String(status)) as Record<string, Sent[]>

describe('guesses', () => {
  const ask = { DomainName: 'ada-l', Text: 'Hello' }
  test('2,000 wrong keys from one address: the most are not looked at, and nobody else is held up', async () => {
    const send = sender('127.0.0.3')
    assert.equal((await send('/v1/message', { 'x-api-key': key }, ask)).status, 200)
    const guesses = Array.from({ length: 2_000 }, (_, n) => send('/v1/message', { 'x-api-key': `guess-${n}` }, ask))
    const answers = counted(await Promise.all(guesses))
    assert.ok(answers['403']!.length < 500, `${answers['403']!.length} were looked at`)
    assert.equal(answers['403']!.length + answers['429']!.length, 2_000)
    assert.ok(answers['429']!.every(({ retryAfter }) => Number(retryAfter) >= 1))
    // Also a right one, unless it was right there before: else the answer would tell.
    assert.equal((await send('/v1/message', { 'x-api-key': quiet }, { ...ask, DomainName: 'bob' })).status, 429)
    assert.equal((await send('/v1/message', { 'x-api-key': key }, ask)).status, 200)
    assert.equal(
      (await sender('127.0.0.4')('/v1/message', { 'x-api-key': quiet }, { ...ask, DomainName: 'bob' })).status,
      200,
    )
  })

  test('200 wrong sign-ins', async () => {
    const send = sender('127.0.0.5')
    const guesses = Array.from({ length: 200 }, (_, n) =>
      send('/console/session', {}, { key: `admin-key-${n}-guessed` }),
    )
    const answers = counted(await Promise.all(guesses))
    assert.ok(answers['403']!.length < 40, `${answers['403']!.length} were looked at`)
    assert.equal(answers['403']!.length + answers['429']!.length, 200)
  })
})

describe('too much at once', () => {
  test('300 messages of one key: some are told to wait, the others are answered, and so is another key', async () => {
    const send = sender('127.0.0.1')
    const flood = Array.from({ length: 300 }, (_, n) =>
      service.call('/v1/message', {
        key,
        body: JSON.stringify({ DomainName: 'ada-l', Text: `What about number ${n}?` }),
      }),
    )
    const other = await send('/v1/message', { 'x-api-key': quiet }, { DomainName: 'bob', Text: 'Who are you?' })
    assert.equal(other.status, 200)
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(
      refused.length > 0 && refused.every(({ headers }) => headers.get('retry-after')),
      `${refused.length} of 300`,
    )
    assert.ok(answers.filter(({ status }) => status === 200).length >= 32)
    assert.equal(answers.filter(({ status }) => status === 200 || status === 429).length, 300)
  })

  test('600 bodies that do not come: most connections are refused, the rest ended, and others are served', async () => {
    const following = followWithEmptyBody()
    const open = Array.from({ length: 600 }, () => slowBody('127.0.0.6'))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    for (let n = 0; n < 5; n++) {
      const begun = performance.now()
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
      assert.ok(performance.now() - begun < 2_000, 'health was told late')
    }
    const said = await Promise.all(open.map(({ ended }) => ended))
    const refused = said.filter((text) => text.startsWith('HTTP/1.1 429')).length
    const late = said.filter((text) => text.startsWith('HTTP/1.1 408')).length
    assert.ok(refused >= 390, `${refused} refused`)
    assert.ok(late >= 20, `${late} ended for being slow`) // as many as one key may have under way
    assert.equal(refused + late, 600)
    assert.ok(!following.closed, 'an answer was cut off whose request had no body to come')
    following.destroy()
  })
})

test('connections that come while the service cannot look are kept until it does', async () => {
  const comes = Math.min(1_500, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')))
  process.kill(service.pid, 'SIGSTOP')
  const sockets = Array.from({ length: comes }, (_, n) =>
    connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.1.${1 + (n % 10)}` }),
  )
  let connected = 0
  // One that finds no room is tried again by the system, but there is none until somebody looks.
  const all = sockets.map((socket) => new Promise((resolve) => socket.on('error', resolve).once('connect', resolve)))
  for (const socket of sockets) socket.once('connect', () => connected++)
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, 10_000))])
  process.kill(service.pid, 'SIGCONT')
  for (const socket of sockets) socket.destroy()
  assert.equal(connected, comes)
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
})

// An answer that goes on, to a request with an empty body: nobody reads that one.
function followWithEmptyBody(): Socket {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.7' })
  socket.on('error', () => {}).resume()
  socket.write(`GET /admin/events HTTP/1.1\r\nhost: x\r\nx-api-key: ${ADMIN_KEY}\r\ncontent-length: 0\r\n\r\n`)
  return socket
}

// Sends a head that promises a body, and a byte of it now and then.
function slowBody(localAddress: string): { ended: Promise<string> } {
  const socket: Socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk
  })
  socket.write(
    `POST /v1/message HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
  )
  const drip = setInterval(() => socket.writable && socket.write(' '), 1_000)
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(said)
    })
  })
  return { ended }
}
