// Hostile files, in real threads: each costs one document, in time and memory that are bounded, and the next one is read.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { AppError } from '../domain/errors.ts'
import { createExtractor } from './extractor.ts'
import { makePackage, makeZip } from './test-files.ts'

const extractor = createExtractor({ threads: 1 })
after(() => extractor.close())

const reading = (bytes: Uint8Array, from = extractor) => from.extract({ bytes, name: null, mediaType: null })
async function failure(bytes: Uint8Array, from = extractor): Promise<string> {
  const error = await reading(bytes, from).then(
    ({ kind }) => assert.fail(`it was read as ${kind}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError && error.code === 'unreadable', String(error))
  return error.message
}
const stillReads = async (from = extractor) =>
  assert.equal((await reading(Buffer.from('still here'), from)).text, 'still here')
const word = (body: string) =>
  makePackage({ 'word/document.xml': body }, { '': [['officeDocument', 'word/document.xml']] })

test('an archive that unpacks to gigabytes stops at its limit, whatever its head says', async () => {
  const bomb = makeZip({ 'word/document.xml': Buffer.alloc(300 * 1024 * 1024, 0x20) })
  // The head lies: it promises ten bytes.
  for (let at = bomb.indexOf('PK'); at >= 0; at = bomb.indexOf('PK', at + 1)) {
    if (bomb.readUInt32LE(at) === 0x04034b50) bomb.writeUInt32LE(10, at + 22)
    if (bomb.readUInt32LE(at) === 0x02014b50) bomb.writeUInt32LE(10, at + 24)
  }
  assert.ok(bomb.length < 1024 * 1024 && deflateRawSync(Buffer.alloc(10)).length > 0)
  assert.match(await failure(bomb), /unpacks to more than 128 MiB/)
  await stillReads()
})

test('entities of a document are not expanded', async () => {
  const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
  const bomb = word(
    `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "ha">${entities}<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p><w:r><w:t>safe &e9; &x;</w:t></w:r></w:p></w:body></w:document>`,
  )
  const { text } = await reading(bomb)
  assert.ok(text.startsWith('safe') && text.length < 100 && !text.includes('root:'), text.slice(0, 200))
})

test('elements nested without end are refused, and harm nothing', async () => {
  const deep = word(
    `<w:document><w:body>${'<w:sdt>'.repeat(100_000)}<w:p><w:r><w:t>deep</w:t></w:r></w:p></w:body></w:document>`,
  )
  assert.match(await failure(deep), /nested too deep/)
  const page = Buffer.from(`<html><body><p>flat</p>${'<div>'.repeat(10_000)}<p>deep</p></body></html>`)
  assert.equal((await reading(page)).text, 'flat')
  await stillReads()
})

test('a picture too large to unpack is refused by its head', async () => {
  const head = Buffer.alloc(64)
  head.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 0, 'latin1')
  head.writeUInt32BE(100_000, 16)
  head.writeUInt32BE(100_000, 20)
  assert.match(await failure(head), /million pixels/)
})

test('a reader that shows no progress is stopped', async () => {
  const impatient = createExtractor({ threads: 1, silenceMs: 40 })
  const rows = Array.from(
    { length: 60_000 },
    (_, at) => `<row><c t="inlineStr"><is><t>cell ${at}</t></is></c></row>`,
  ).join('')
  const book = makePackage(
    {
      'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/s.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    },
    { '': [['officeDocument', 'xl/workbook.xml']], 'xl/workbook.xml': [['worksheet', 's.xml']] },
  )
  assert.match(await failure(book, impatient), /took too long/)
  const patient = createExtractor({ threads: 1, silenceMs: 15_000 })
  assert.equal((await reading(book, patient)).blocks.length, 60_001)
  await Promise.all([impatient.close(), patient.close()])
})

test('a reader that eats memory dies alone', async () => {
  const small = createExtractor({ threads: 1, memoryMib: 32 })
  const huge = word(`<w:document><w:body>${'<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(600_000)}</w:body></w:document>`)
  assert.match(await failure(huge, small), /memory|too long|damaged/)
  await stillReads(small)
  await small.close()
})

test('noise in every hull fails with a sentence or gives text, and never more', async () => {
  const noise = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + (at >> 3) * 31) & 255))
  for (const start of [
    '%PDF-1.7\n',
    'PK\x03\x04',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    '{\\rtf1',
    '\x89PNG\r\n\x1a\n',
    'GIF89a',
    '\xff\xd8\xff\xe0',
    'BM',
    'II*\0',
    '<?xml version="1.0"?><a',
    'From x\nFrom: y\n\n',
    'WEBVTT\n\n',
  ])
    await reading(Buffer.concat([Buffer.from(start, 'latin1'), noise(20_000)])).catch((error) =>
      assert.ok(error instanceof AppError && error.code === 'unreadable', `${start}: ${error}`),
    )
  await stillReads()
})
