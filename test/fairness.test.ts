// One persona is asked by many at once: another's answer does not stand behind theirs, and nobody waits without end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './started.ts'

const FLOOD = 24
const FLOOD_BETWEEN = 12 // of them: more than the models have under way at once, and far from all
const CROWD = 150 // more than any machine answers in the second that they may wait

type Asked = Awaited<ReturnType<typeof startService>>

const note = (n: number): string =>
  `On day ${n} the ferry was late again, and I wrote down why: fog over the sound, a broken ramp, or nobody to steer it.`

async function teach(service: Asked, domainName: string): Promise<string> {
  await service.persona(domainName)
  const key = await service.key([domainName])
  for (let n = 0; n < 12; n++)
    await service.call({
      path: '/v1/memory',
      key,
      body: { DomainName: domainName, Text: note(n), SourceName: 'test' },
    })
  await service.learned()
  return key
}

test('a persona that many ask at once does not hold up another', async () => {
  const service = await startService({ MEMOIR_LONGEST_WAIT_S: '300' })
  const [many, one] = [await teach(service, 'many'), await teach(service, 'one')]
  const ask = (DomainName: string, key: string, n: number) =>
    service.call({ path: '/v1/message', key, body: { DomainName, Text: `Why was the ferry late on day ${n}?` } })
  await ask('one', one, 1)
  let answered = 0
  const flood = Array.from({ length: FLOOD }, async (_, n) => {
    assert.equal((await ask('many', many, n)).status, 200)
    answered++
  })
  await flood[0] // the others wait by now
  const before = answered
  assert.equal((await ask('one', one, 2)).status, 200)
  const between = answered - before
  await Promise.all(flood)
  assert.ok(between <= FLOOD_BETWEEN, `${between} of ${FLOOD} were answered while the other persona waited`)
})

test('messages that would wait too long are told to come back', async () => {
  const brief = await startService({ MEMOIR_LONGEST_WAIT_S: '1' })
  const many = await teach(brief, 'many')
  const ask = (n: number) =>
    brief.call({
      path: '/v1/message',
      key: many,
      body: { DomainName: 'many', Text: `Why was the ferry late on day ${n}?` },
    })
  for (let n = 0; n < 8; n++) await ask(n)
  const flood = []
  // One after another, as callers come: those behind find the line that those before them make.
  for (let n = 0; n < CROWD; n++) {
    flood.push(ask(8 + n))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 503)
  assert.ok(refused.length > 0 && refused.length < CROWD, `${refused.length} of ${CROWD} were refused`)
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1))
  assert.match(refused[0]!.body.detail, /More messages wait than can be answered soon/)
  // 429: more than one key may have open at once.
  const others = answers.map(({ status }) => status).filter((status) => status !== 503)
  assert.ok(others.includes(200) && others.every((status) => status === 200 || status === 429), others.join())
})
