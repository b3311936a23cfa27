// The manner of a few texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Manner, mannerOf } from './manner.ts'

const cases: [string, string[], Manner][] = [
  [
    'a diary',
    ["I'm off to Lisbon! My cat's coming, too.", "Can't wait. I love it there!"],
    { person: 'I', length: 'short', tone: 'informal' },
  ],
  [
    'a club',
    ['We meet on Mondays. Our hall is in Mill Lane, and everyone who wants to play is welcome to come along with us.'],
    { person: 'we', length: null, tone: null },
  ],
  [
    'a contract',
    [
      'The undersigned parties acknowledge that obligations arising from this agreement, including confidentiality ' +
        'provisions and intellectual property assignments, continue following termination of employment.',
      'Amendments require written confirmation from authorised representatives of every participating organisation, ' +
        'delivered by registered correspondence before expiration of the corresponding contractual period.',
    ],
    { person: null, length: 'long', tone: 'formal' },
  ],
  ['one sentence', ['I like tea.'], { person: null, length: null, tone: null }],
  ['nothing', [], { person: null, length: null, tone: null }],
]
for (const [what, texts, manner] of cases) {
  test(`the manner of ${what}`, () => assert.deepEqual(mannerOf(texts), manner))
}
