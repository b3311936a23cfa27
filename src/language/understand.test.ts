// What a message is understood as, in its session and however long it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonIn } from './comparisons.ts'
import { asksForOverview } from './overviews.ts'
import { asksBeyond } from './question-kinds.ts'
import { hear, understand } from './understand.ts'

test('a long message is looked at no longer than a short one', () => {
  const long = (word: string) => `how many days between give ${word.repeat(100_000)}`
  assert.equal(comparisonIn(long('a and between ')), null)
  assert.equal(asksForOverview(long('give list ')), false)
  assert.equal(asksBeyond(long('do you ')), true)
})

describe('follow-ups', () => {
  const before = [
    { role: 'user' as const, text: 'matt>>>: Where does Tom live?' },
    { role: 'ai' as const, text: 'In Lisbon.' },
  ]
  for (const [message, question] of [
    ['And why there?', 'Where does Tom live? | In Lisbon. | And why there?'],
    ['Since when?', 'Where does Tom live? | In Lisbon. | Since when?'],
    ['When did Anna buy a bicycle in Oslo?', 'When did Anna buy a bicycle in Oslo?'],
  ] as const)
    test(message, () => {
      const understood = understand(hear(message), { before })
      assert.equal(understood.question, question)
      assert.equal(understood.isFollowUp, question !== message)
    })

  test('a follow-up to a follow-up goes on from both; a refusal adds nothing', () => {
    const longer = [
      ...before,
      { role: 'user' as const, text: 'And why there?' },
      { role: 'ai' as const, text: "I don't know that." },
    ]
    assert.equal(
      understand(hear('Since when?'), { before: longer }).question,
      'Where does Tom live? | And why there? | Since when?',
    )
  })

  test('with nothing before it, a follow-up is asked as it stands', () => {
    assert.equal(understand(hear('Since when?')).question, 'Since when?')
  })
})

describe('what is asked otherwise', () => {
  const before = [
    { role: 'user' as const, text: 'How much is a small tent?' },
    { role: 'ai' as const, text: '£12.' },
  ]
  for (const [message, kind, question] of [
    ['how old are you', 'duration', 'when were you born?'],
    ['opening hours?', 'about-topic', 'Tell me about opening hours?'],
    ['Parking', 'about-topic', 'Tell me about Parking'],
    ['Where do you live?', undefined, undefined],
    ['docker compose file for several machines', undefined, undefined],
  ] as const)
    test(message, () => {
      const { otherwise } = understand(hear(message))
      assert.deepEqual([otherwise?.kind, otherwise?.question], [kind, question])
    })
  test('a follow-up goes on from what was asked, and nothing else', () =>
    assert.equal(understand(hear('and the large?'), { before }).otherwise, null))
})

test("a bot's prefix is not asked, but stays in the text", () => {
  const { text, question } = understand(hear('2026-11-16 17:34:31 (Vancouver time) matt>>>: Where does Tom live?'))
  assert.match(text, /^2026/)
  assert.equal(question, 'Where does Tom live?')
})
