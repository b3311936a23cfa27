// Archives that are cut off or damaged: what is there is read, and what is missing is told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zip } from '../zip.ts'
import { startNesting } from './nested.ts'
import { read } from './read.ts'
import { makePackage, makeZip } from './test-files.ts'

function reading(bytes: Uint8Array) {
  startNesting(read)
  return read({ bytes, name: 'file.zip', mediaType: null })
}
const say = (thing: string) => `${thing.repeat(3)} is what this file speaks of, and of nothing else.`
const names = ['cats.txt', 'dogs.txt', 'mice.txt']
const files = Object.fromEntries(names.map((name) => [name, say(name)]))
const whole = makeZip(files)
const placeOf = (name: string) => whole.indexOf(Buffer.from(name))

// As programs write it that do not know the sizes beforehand.
async function streamed(): Promise<Buffer> {
  const entries = async function* () {
    for (const name of names)
      yield {
        name,
        bytes: (async function* () {
          yield Buffer.from(say(name))
        })(),
      }
  }
  return Buffer.concat(await Array.fromAsync(zip(entries())))
}

test('of a whole zip nothing is missing', async () => {
  for (const bytes of [whole, await streamed()]) {
    const { text, missing } = await reading(bytes)
    assert.deepEqual([missing, names.every((name) => text.includes(say(name)))], [undefined, true])
  }
})

test('a zip that is cut off says how much was read', async () => {
  const between = await reading(whole.subarray(0, placeOf('mice.txt') - 30))
  assert.equal(between.missing, 'This zip ends early: 2 files were read, the rest is missing. Upload it again.')
  assert.ok(between.text.includes(say('dogs.txt')) && !between.text.includes('mice'))

  const within = await reading(whole.subarray(0, placeOf('dogs.txt') + 40))
  assert.equal(
    within.missing,
    'This zip ends early: 2 files were read (dogs.txt only in part), the rest is missing. Upload it again.',
  )
  assert.ok(within.text.includes(say('cats.txt')) && within.text.includes('dogs.txt'))

  const inList = await reading(whole.subarray(0, whole.indexOf('PK\x01\x02') + 60))
  assert.equal(inList.missing, 'The end of this zip is missing, but all its files are there: 3 files were read.')

  const atEnd = await reading(whole.subarray(0, -5))
  assert.equal(atEnd.missing, inList.missing)
})

test('so does one whose entries do not say how long they are', async () => {
  const bytes = await streamed()
  const { missing, text } = await reading(bytes.subarray(0, bytes.lastIndexOf('mice.txt', -200) + 50))
  assert.match(missing!, /^This zip ends early: 3 files were read \(mice\.txt only in part\), the rest is missing\./)
  assert.ok(text.includes(say('dogs.txt')))
})

test('where it is cut makes no difference: no cut is without a word', async () => {
  const bytes = await streamed()
  for (const zip of [whole, bytes])
    for (let length = 4; length < zip.length; length += 7) {
      const outcome = await reading(zip.subarray(0, length)).catch((error: Error) => ({ missing: error.message }))
      assert.match(outcome.missing ?? '', /ends early|end of this zip/, `${length} of ${zip.length}`)
    }
})

test('a zip in a zip that is cut off is not taken for its end', async () => {
  const bytes = makeZip({ 'a.txt': say('a'), 'inner.zip': whole, 'z.txt': say('z') })
  const cut = bytes.subarray(0, bytes.indexOf('z.txt') - 30)
  assert.match((await reading(cut)).missing!, /^This zip ends early: 2 files were read, /)
})

test('a damaged file in a zip is named, and the others are read', async () => {
  const wrongSum = Buffer.from(whole)
  for (const at of [placeOf('dogs.txt') - 16, whole.lastIndexOf('dogs.txt') - 30]) wrongSum.writeUInt32LE(1234, at)
  const { text, missing } = await reading(wrongSum)
  assert.equal(
    missing,
    'Damaged in this zip: dogs.txt. What could be read of that was kept; 2 files were read whole. Upload it again.',
  )
  assert.ok(text.includes(say('mice.txt')))

  const broken = Buffer.from(whole).fill(0xff, placeOf('dogs.txt') + 10, placeOf('dogs.txt') + 30)
  const other = await reading(broken)
  assert.equal(other.missing, missing)
  assert.ok(other.text.includes(say('mice.txt')) && !other.text.includes('dogs.txt is'))
})

test('what a zip holds that cannot be read, or is too much, is told', async () => {
  const { missing } = await reading(makeZip({ 'a.txt': say('a'), 'b.bin': Buffer.alloc(100, 1) }))
  assert.equal(missing, 'Left out, for they cannot be read: b.bin.')
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`${at}.txt`, say(`${at}`)]))
  assert.match(
    (await reading(makeZip(many))).missing!,
    /^Left out, for a zip is read up to 64 files: 64\.txt, .* and 1 more\.$/,
  )
})

test('an office file that is cut off or damaged says so, too', async () => {
  const body = `<w:document><w:body>${'<w:p><w:r><w:t>A paragraph.</w:t></w:r></w:p>'.repeat(50)}</w:body></w:document>`
  const bytes = makePackage({ 'word/document.xml': body }, { '': [['officeDocument', 'word/document.xml']] })
  assert.equal((await reading(bytes)).missing, undefined)
  const cut = await reading(bytes.subarray(0, bytes.indexOf('word/document.xml') + 60))
  assert.equal(cut.missing, 'This file ends early: the rest of it is missing. Upload it again.')
  const wrongSum = Buffer.from(bytes)
  wrongSum.writeUInt32LE(1234, bytes.lastIndexOf('word/document.xml') - 30)
  assert.match((await reading(wrongSum)).missing!, /^Parts of this file are damaged \(word\/document\.xml\)/)
  const none = bytes.subarray(0, bytes.indexOf('word/document.xml') - 30)
  assert.match((await reading(none)).missing!, /ends early/)
})
