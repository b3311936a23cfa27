// Typing errors are mended where the word that was meant is plain, and nothing else is touched.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { correctSpelling } from './spelling.ts'

const held = new Set(['harbour', 'zaleski', 'luanne', 'trawler'])
const mend = (message: string) => correctSpelling(message, (word) => held.has(word))

describe('is mended', () => {
  for (const [message, meant] of [
    ['What ilness does your dad have?', 'What illness does your dad have?'],
    ['wat is the adress of the shop', 'what is the address of the shop'],
    ['when is ur birtday', 'when is your birthday'],
    ['Restarant in the town, is there one?', 'Restaurant in the town, is there one?'],
    ['is there a vegitarian menue', 'is there a vegetarian menu'],
    ['what if it doesnt know, youre the expert', "what if it doesn't know, you're the expert"],
    ['did you see the trawlr', 'did you see the trawler'],
    ['Where does Mr Zalesky live?', 'Where does Mr Zaleski live?'],
  ] as const)
    test(message, () => assert.equal(mend(message), meant))
})

describe('stays as it is', () => {
  for (const message of [
    'How do I configure the autoclave?',
    'Which allergies does Luanne have?',
    'Do you know Bertha Hollyns?',
    'favourite colour of the neighbours',
    'Can the fitters measure the throughput?',
    'what is MEMOIR_RATE_LIMIT',
    'Wie heißt deine Schwester, und wo wohnt sie?',
    'Waar is je kantoor precies gevestigd, mevrouw?',
    'is https://example.com/handboek.pdf up to date?',
    'thx',
    '',
  ])
    test(message, () => assert.equal(mend(message), message))
})
