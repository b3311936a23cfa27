// Small talk and what is said in return.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createEmbedder } from '../models/embedder.ts'
import { sayInReturn } from './phrases.ts'
import { hear, understand } from './understand.ts'

const embedder = createEmbedder()
after(() => embedder.close())

async function understood(message: string) {
  const [vector] = await embedder.embed([message], 'question')
  return understand(hear(message, { meaning: { embedder: embedder.name, vector: vector! } }))
}
const smallTalkIn = async (message: string) => (await understood(message)).smallTalk

describe('small talk', () => {
  const instructions = 'You are a gardener in Kent. You love roses. Never speak of money.'
  const persona = { name: 'Ada', instructions }
  for (const [message, reply] of [
    ['Hello!', /^Hello, Tom! I'm Ada\./],
    ['thanks a lot', /^You're welcome, Tom\.$/],
    ['How are you?', /^I'm well/],
    ['bye', /^Goodbye/],
    ['Who are you?', /^I'm Ada\. I am a gardener in Kent\. I love roses\.$/],
  ] as const)
    test(message, async () => assert.match(sayInReturn((await smallTalkIn(message))!, persona, 'Tom'), reply))
  test('how it is to speak is not who it is, and its name is said once', () => {
    const marit = { name: 'Marit Solberg', instructions: 'You are Marit, a keeper. You speak warmly. You speak Sami.' }
    assert.equal(sayInReturn('identity', marit, undefined), 'I am Marit, a keeper. I speak Sami.')
  })
  for (const message of [
    'Hello, when do the tulips bloom?',
    'Who are the neighbours?',
    'Who is Defne?',
    'who is old Bertil',
    'Thanks for nothing: where is my key',
    'Who are you married to?',
    'Great Expectations?',
    'Nice, France?',
    'What do you do at work?',
    'What do you do for work?',
    'How are you paid?',
  ])
    test(`no small talk: ${message}`, async () => assert.equal(await smallTalkIn(message), null))
  for (const [message, asks] of [
    ['what can i ask you', true],
    ['What do you know?', true],
    ['Do you have doctoral students?', false],
    ['Where do I see what people asked?', false],
    ['i have years of letters, can i load those', false],
    ['do you have a forum where i can ask people', false],
    ['do you understand dogs', false],
  ] as const)
    test(`what it knows ${asks ? 'is' : 'is not'} asked for: ${message}`, async () =>
      assert.equal((await understood(message)).asksForHoldings, asks))
})
