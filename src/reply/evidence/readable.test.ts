// What is named as the nearest thing can be read by itself, whatever the evidence points to.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Persona } from '../../domain/persona.ts'
import { sentenceAround } from '../../language/language.ts'
import { limits } from '../limits.ts'
import { refuse } from '../memory/answer.ts'
import { recollection } from '../test-recollection.ts'
import type { Evidence } from './evidence.ts'

const settings = `## Settings
All are environment variables.

| setting | meaning | default |
|---|---|---|
| \`MEMOIR_PORT\` | Port to listen on. | \`8787\` |
| \`MEMOIR_MAX_TEXT_CHARACTERS\` | Longest Text. | \`1000000\` |`

const backups = `## Backups
\`\`\`sh
tar czf backup.tgz data
\`\`\`

Stop the service before you copy the folder.

What else is there to know?

## And then`

const people = 'Name\tAge\tCity\n\nAda Lovelace\t36\tLondon\n\nGrace Hopper\t85\tArlington'

function told(passage: string, pointsTo: string, headings: string[] = []): { text: string; used: string[] } {
  const start = passage.indexOf(pointsTo)
  const answer = { start, end: start + pointsTo.length }
  const found = recollection(passage)
  found.memory.place.headings = headings
  const evidence: Evidence = {
    source: found,
    rank: 0,
    passage: found.passage,
    answer,
    sentence: sentenceAround(passage, answer),
    strength: 1,
    isRead: false,
  }
  const { text, used } = refuse('other', [evidence], { name: 'Ada' } as Persona)
  return {
    text: text.replace("I don't know that.", '').replace(' The closest I have: ', ''),
    used: used.map(({ sentence }) => passage.slice(sentence.start, sentence.end)),
  }
}

describe('the nearest thing', () => {
  for (const [name, passage, pointsTo, text] of [
    ['a sentence is itself', settings, 'environment', 'All are environment variables.'],
    [
      'a cell is its row, with the names of its columns',
      settings,
      '| `1000000` |',
      '`MEMOIR_MAX_TEXT_CHARACTERS`: Longest Text, default `1000000`.',
    ],
    [
      'the names of columns are the first row',
      settings,
      'meaning',
      '`MEMOIR_PORT`: Port to listen on, default `8787`.',
    ],
    ['a heading is what follows it', settings, 'Settings', 'All are environment variables.'],
    ['a heading over code is what follows that', backups, 'Backups', 'Stop the service before you copy the folder.'],
    [
      'code without an introduction is what follows it',
      backups,
      'tar czf',
      'Stop the service before you copy the folder.',
    ],
    ['a fence is no better', backups, '```sh', 'Stop the service before you copy the folder.'],
    [
      'a heading at the end is what stands before it',
      backups,
      'And then',
      'Stop the service before you copy the folder.',
    ],
    ['cells may be set apart by tabs', people, '85', 'Grace Hopper: age 85, city Arlington.'],
    ['a row without names is its cells', '| tea | hot |\n| ice | cold |', 'cold', 'ice; cold.'],
    ['a bare cell alone is not told', '| `1000000` |', '1000000', ''],
    ['a heading alone is not told', '## Backups', 'Backups', ''],
    ['code alone is not told', '```\nls -l /var/log\n```', 'ls', ''],
  ] as const)
    test(name, () => assert.equal(told(passage, pointsTo).text, text))

  test('rows far from their head know the names of its columns', () =>
    assert.equal(
      told('| `b` | second |\n| `c` | third |', 'third', ['Letters', '| letter | place |']).text,
      '`c`: place third.',
    ))

  test('a heading may be known by its place alone', () =>
    assert.equal(told('Life\n\nAda was born in London.', 'Life', ['Life']).text, 'Ada was born in London.'))

  test('a long row is cut', () => {
    const { text } = told(`| a | b |\n|--|--|\n| key | ${'word '.repeat(60)}|`, 'key')
    assert.match(text, /^key: b word .* …$/)
    assert.equal(text.split(' ').length, limits.replyWords + 1)
  })

  test('what is told is what is marked as used', () =>
    assert.deepEqual(told(settings, '`8787`').used, ['| `MEMOIR_PORT` | Port to listen on. | `8787` |']))
})
