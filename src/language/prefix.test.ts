import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPrefix } from './prefix.ts'

test("a bot's prefix is no part of what is asked", () => {
  const asked = 'Where is the key?'
  for (const prefix of [
    'matt: ',
    'matt>>>: ',
    'Matt Smith>>> ',
    '2026-11-16 17:34:31 (Vancouver time) matt>>>: ',
    '[2026-11-16T17:34:31Z] anna_b: ',
    '2026-11-16 17:34 ',
  ])
    assert.equal(withoutPrefix(`${prefix}${asked}`), asked, prefix)
})

test('a message that only looks like it begins with a name is left as it is', () => {
  for (const message of [
    'Quick: where is the key?',
    'Question: who are you?',
    'https://example.org: what is this?',
    'translate: guten Tag',
    'Where is it: here or there?',
    'matt:',
    '2026-11-16 17:34:31',
    'At 10:30 or at 11?',
  ])
    assert.equal(withoutPrefix(message), message)
})
