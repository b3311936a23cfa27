// The shipped reader on its real weights.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { Tokenizer } from '@huggingface/tokenizers'
import { createReader } from './reader.ts'
import { createTokens } from './reader-tokens.ts'

const folder = new URL('../../weights/reader/', import.meta.url)
const reader = createReader({ threads: 1 })
after(() => reader.close())

const CHAT = '8 May 2023\nAnna: I bought a red bicycle for my birthday.\nTom: Nice, Anna! I sold my old car last week.'

test('the weights are the ones the card names', () => {
  for (const line of readFileSync(new URL('SHA256SUMS', folder), 'utf8').trim().split('\n')) {
    const [hash, name] = line.split(/\s+/)
    assert.equal(
      createHash('sha256')
        .update(readFileSync(new URL(name!, folder)))
        .digest('hex'),
      hash,
      name,
    )
  }
})

test('the answer is found where it stands', async () => {
  const passage = 'Marie Curie was born in Warsaw, and moved to Paris in 1891 to study physics.'
  for (const [question, answer] of [
    ['Where was Marie Curie born?', 'Warsaw'],
    ['When did Marie Curie move to Paris?', '1891'],
    ['What did she study?', 'physics'],
  ]) {
    const [reading] = await reader.read(question!, [passage])
    assert.ok(passage.slice(reading!.start, reading!.end).includes(answer!), question)
    assert.ok(reading!.answerable > 0.5 && reading!.relevant > 0.5 && reading!.span > 0, question)
  }
})

test('a question about one speaker is not answered by the other', async () => {
  const [asked] = await reader.read('What did Anna buy for her birthday?', [CHAT])
  assert.match(CHAT.slice(asked!.start, asked!.end), /red bicycle/)
  assert.ok(asked!.answerable > 0.5)
  const [swapped] = await reader.read('What did Tom buy for his birthday?', [CHAT])
  assert.ok(swapped!.answerable < 0.2, 'Tom bought nothing')
  assert.ok(swapped!.relevant > 0.5, 'yet this is the place to look')
})

test('a passage about something else is neither relevant nor an answer', async () => {
  const [tax] = await reader.read('What did Anna buy for her birthday?', ['The tax return is due at the end of April.'])
  assert.ok(tax!.relevant < 0.2 && tax!.answerable < 0.2)
})

test('passages are read each by itself, whatever stands beside them', async () => {
  const others = ['', ' ', '漢字 かな', '\u0000\ud800', 'word '.repeat(5_000), '[SEP] [CLS] [MASK]']
  const question = 'What did Anna buy for her birthday?'
  const [alone] = await reader.read(question, [CHAT])
  const together = await reader.read(question, [...others, CHAT])
  assert.equal(together.length, others.length + 1)
  assert.deepEqual(together.at(-1), alone)
  for (const reading of together) for (const value of Object.values(reading)) assert.ok(Number.isFinite(value))
  assert.deepEqual(await reader.read(question, []), [])
})

test('the end of a long passage is read too', async () => {
  const passage = `${'It rained and nothing happened. '.repeat(80)}Anna bought a red bicycle.`
  const [reading] = await reader.read('What did Anna buy?', [passage])
  assert.match(passage.slice(reading!.start, reading!.end), /red bicycle/)
})

test('words are cut as the tokenizer cuts the whole text', () => {
  const json = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  const cut = createTokens(tokenizer)
  for (const text of ["Don't—stop: it's €5.40 (or $6)!", 'naïve Café\tÅngström\n2nd line', '漢字 in Tokyo', 'x² ≤ 3'])
    assert.deepEqual(cut(text).ids, tokenizer.encode(text, { add_special_tokens: false }).ids, text)
})

test('a sentence is held to a passage: said, said otherwise, not said', async () => {
  const passage = 'Alice has a cat named Turing. He is nine years old.'
  const of = async (sentence: string) => (await reader.verify!([{ sentence, passage }]))[0]!
  const said = await of('Alice has a cat named Turing.')
  assert.ok(Math.abs(said.supported + said.unsaid + said.contradicted - 1) < 1e-6)
  assert.ok(said.supported > 0.8)
  assert.ok((await of('Alice has no cat named Turing.')).contradicted > 0.8)
  assert.ok((await of('Turing is seven years old.')).contradicted > 0.5)
  assert.ok((await of('Alice is married to Tom.')).supported < 0.2)
  const [one, two] = await reader.verify!([
    { sentence: 'Alice has a cat.', passage },
    { sentence: 'word '.repeat(1_000), passage: 'word '.repeat(5_000) },
  ])
  assert.ok(one!.supported > 0.8 && Number.isFinite(two!.supported))
  assert.deepEqual(await reader.verify!([]), [])
})
