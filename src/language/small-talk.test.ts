// Small talk and what is said in return.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sayInReturn } from './phrases.ts'
import { smallTalkIn } from './small-talk.ts'

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
    test(message, () => assert.match(sayInReturn(smallTalkIn(message)!, persona, 'Tom'), reply))
  for (const message of [
    'Hello, when do the tulips bloom?',
    'Who are the neighbours?',
    'Thanks for nothing: where is my key',
  ])
    test(`no small talk: ${message}`, () => assert.equal(smallTalkIn(message), null))
})
