// One persona is asked by many at once: another's answer does not stand behind theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './started.ts'

const service = await startService()
const FLOOD = 24

const note = (n: number): string =>
  `On day ${n} the ferry was late again, and I wrote down why: fog over the sound, a broken ramp, or nobody to steer it.`

async function teach(domainName: string): Promise<string> {
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
  const [many, one] = [await teach('many'), await teach('one')]
  const ask = (DomainName: string, key: string, n: number) =>
    service.call({ path: '/v1/message', key, body: { DomainName, Text: `Why was the ferry late on day ${n}?` } })
  await ask('one', one, 1)
  let answered = 0
  const flood = Array.from({ length: FLOOD }, async (_, n) => {
    await ask('many', many, n)
    answered++
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await ask('one', one, 2)
  const before = answered
  await Promise.all(flood)
  assert.ok(before <= FLOOD / 2, `${before} of ${FLOOD} were answered before the other persona`)
})
