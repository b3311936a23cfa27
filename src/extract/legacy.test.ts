// Formats of before, and mail: written here, read back.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { AppError } from '../domain/errors.ts'
import { unpackRtf } from './mail/msg.ts'
import { startNesting } from './nested.ts'
import { read } from './read.ts'
import { makeCompound } from './test-files.ts'

function reading(bytes: string | Uint8Array) {
  startNesting(read)
  return read({ bytes: Buffer.from(bytes as string), name: null, mediaType: null })
}
const wide = (text: string) => Buffer.from(text, 'utf16le')

test('RTF: code pages, numbered characters, tables, what is no text left out', async () => {
  const found = await reading(
    String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}{\stylesheet{\s1 heading;}}{\info{\title A note}{\author Ada}{\creatim\yr2010\mo2\dy3}}
{\*\generator Secret;}\f0 caf\'e9 \u8364? and {\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par{\pict 0102}Second {\field{\*\fldinst HYPERLINK x}{\fldrslt link}}\emdash end\par
\trowd\intbl one\cell two\cell\row\pard{\footnote A note below}}`,
  )
  assert.equal(found.kind, 'rtf')
  assert.equal(found.text, 'café € and Привет\n\nSecond link—end\n\none\ttwo\n\nA note below')
  assert.deepEqual(
    [found.title, found.author, found.time?.toISOString()],
    ['A note', 'Ada', '2010-02-03T00:00:00.000Z'],
  )
})

test('Word 97: pieces in both widths, fields, cells', async () => {
  const narrow = Buffer.from('Hello \x13 HYPERLINK x \x14linked\x15 world\r', 'latin1')
  const broad = 'Größe αβγ\ra\x07b\x07\x07'
  const main = Buffer.alloc(4096)
  main.writeUInt16LE(0xa5ec, 0)
  main.writeUInt16LE(0x0200, 0x0a)
  narrow.copy(main, 0x400)
  wide(broad).copy(main, 0x600)
  const pieces = Buffer.alloc(5 + 12 + 16)
  pieces.writeUInt8(2, 0)
  pieces.writeUInt32LE(28, 1)
  for (const [index, place] of [0, narrow.length, narrow.length + broad.length].entries())
    pieces.writeUInt32LE(place, 5 + index * 4)
  pieces.writeUInt32LE(((0x400 * 2) | 0x40000000) >>> 0, 5 + 12 + 2)
  pieces.writeUInt32LE(0x600, 5 + 12 + 8 + 2)
  main.writeUInt32LE(0, 0x01a2)
  main.writeUInt32LE(pieces.length, 0x01a6)
  const found = await reading(makeCompound({ WordDocument: main, '1Table': pieces }))
  assert.equal(found.kind, 'doc')
  assert.equal(found.text, 'Hello linked world\n\nGröße αβγ\n\na\tb')
})

// Written by LibreOffice.
const lists = readFileSync(new URL('../../test/files/lists.doc', import.meta.url))

test('Word 97: the numbers of lists, as they are shown', async () => {
  const { text, blocks } = await reading(lists)
  assert.deepEqual(
    blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`),
    [
      'paragraph: Rules of the club',
      'item: 1. Membership',
      'item: 1.1 Pay the fee.',
      'item: 1.2 Bring the key.',
      'item: a) The brass one.',
      'item: b) The steel one.',
      'item: 1.3 Ünder a bridge → nothing.',
      'item: 2. Conduct',
      'item: 2.1 Close the door.',
      'paragraph: Between the lists.',
      'item: A bullet.',
      'item: Step I: By its style, first.',
      'item: Step II: By its style, second.',
      'paragraph: Taken out of it.',
      'item: (4) Begins at four.',
      'item: (5) Fifth.',
      'row: a) in a cell\tbeside it',
      'item: b) After the table.',
    ],
  )
})

test('Word 97: lists whose tables are damaged cost only their numbers', async () => {
  for (let at = 0x200; at < lists.length; at += 23) {
    const damaged = Buffer.from(lists).fill(0xff, at, at + 4)
    const outcome = await reading(damaged).catch((error: unknown) => error)
    assert.ok(!(outcome instanceof Error) || outcome instanceof AppError, `${at}: ${(outcome as Error).stack}`)
  }
})

test('Excel 97: strings that run over a record, numbers of both kinds, dates', async () => {
  const record = (type: number, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(4)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(body.length, 2)
    return Buffer.concat([head, body])
  }
  const two = (...numbers: number[]) => Buffer.from(numbers.flatMap((number) => [number & 255, number >> 8]))
  const four = (number: number) => two(number & 0xffff, number >>> 16)
  const double = (number: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(number)
    return bytes
  }
  const stream = Buffer.concat([
    record(0x0809, two(0x0600, 5), Buffer.alloc(12)),
    record(0x00e0, two(0, 0), Buffer.alloc(16)),
    record(0x00e0, two(0, 14), Buffer.alloc(16)),
    record(0x0085, four(0), two(0), Buffer.from([5, 0]), Buffer.from('Sheet')),
    record(
      0x00fc,
      four(2),
      four(2),
      two(3),
      Buffer.from([0]),
      Buffer.from('one'),
      two(6),
      Buffer.from([0]),
      Buffer.from('spl'),
    ),
    record(0x003c, Buffer.from([1]), wide('it!')),
    record(0x000a),
    record(0x0809, two(0x0600, 0x10), Buffer.alloc(12)),
    record(0x00fd, two(0, 0, 0), four(0)),
    record(0x00fd, two(0, 1, 0), four(1)),
    record(0x0203, two(1, 0, 0), double(1.5)),
    record(0x027e, two(1, 1, 0), four((42 << 2) | 2)),
    record(0x0203, two(1, 2, 1), double(43831)),
    record(0x000a),
  ])
  // A page in another format that Excel keeps: in a folder of its own.
  const page = Buffer.from('<html><body><p>The kept page.</p></body></html>'.padEnd(5_000))
  const found = await reading(makeCompound({ Workbook: stream, 'MBD0A1B2C3D/CONTENTS': page }))
  assert.equal(found.text, 'Sheet\n\none\tsplit!\n1.5\t42\t2020-01-01\n\nThe kept page.')
  assert.equal(found.blocks[1]!.page, 1)
})

test('PowerPoint 97: titles and text of slides, not of masters', async () => {
  const record = (type: number, body: Buffer, head = 0) => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt16LE(head, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(body.length, 4)
    return Buffer.concat([bytes, body])
  }
  const list = Buffer.concat([
    record(1011, Buffer.alloc(20)),
    record(3999, Buffer.alloc(4)),
    record(4000, wide('Title')),
    record(3999, Buffer.from([1, 0, 0, 0])),
    record(4008, Buffer.from('one\rtwo')),
  ])
  const stream = Buffer.concat([record(1016, record(4000, wide('Click to edit')), 15), record(4080, list, 15)])
  const found = await reading(makeCompound({ 'PowerPoint Document': stream }))
  assert.equal(found.text, 'Title\n\none\ntwo')
  assert.deepEqual(
    found.blocks.map((block) => block.page),
    [1, 1, 1],
  )
})

test('an encrypted office file says so', async () => {
  await assert.rejects(
    reading(makeCompound({ EncryptedPackage: Buffer.alloc(10), EncryptionInfo: Buffer.alloc(10) })),
    /encrypted with a password/,
  )
})

test('mail: subject, people, date, text, and what is attached', async () => {
  const mail = `From: =?utf-8?q?Ad=C3=A1?= <ada@example.com>\r\nTo: Ben <ben@example.com>\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nDate: Tue, 4 Mar 2025 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDear Ben,=20\r\n\r\nsee the table.\r\n--x\r\nContent-Type: application/octet-stream; name=list.csv\r\nContent-Disposition: attachment; filename=list.csv\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('a,b\n1,2\n').toString('base64')}\r\n--x--\r\n`
  const found = await reading(mail)
  assert.equal(found.kind, 'mail')
  assert.equal(found.title, 'Grüße')
  assert.equal(found.author, 'Adá <ada@example.com>')
  assert.equal(found.time?.toISOString(), '2025-03-04T09:00:00.000Z')
  assert.equal(
    found.text,
    'Grüße\n\nFrom: Adá <ada@example.com>\nTo: Ben <ben@example.com>\nDate: 2025-03-04 09:00 UTC\n\nDear Ben,\n\nsee the table.\n\nlist.csv\n\na\tb\n1\t2',
  )
})

test('a mailbox gives all its messages', async () => {
  const message = (subject: string) =>
    `From someone@example.com Tue Mar  4 10:00:00 2025\nFrom: someone@example.com\nSubject: ${subject}\n\nBody of ${subject}\n>From here on\n\n`
  const found = await reading(message('one') + message('two'))
  assert.equal(found.kind, 'mbox')
  assert.ok(found.text.includes('Body of one\nFrom here on') && found.text.includes('Body of two'), found.text)
})

test('Outlook: properties, time, attachments', async () => {
  const properties = Buffer.alloc(48)
  properties.writeUInt16LE(0x0040, 32)
  properties.writeUInt16LE(0x0039, 34)
  properties.writeBigUInt64LE((BigInt(Date.UTC(2024, 0, 2)) + 11_644_473_600_000n) * 10_000n, 40)
  const pad = (text: string) => wide(text.padEnd(2048, '\0'))
  const found = await reading(
    makeCompound({
      '__properties_version1.0': properties,
      '__substg1.0_0037001F': pad('Subject line'),
      '__substg1.0_0C1A001F': pad('Ada'),
      '__substg1.0_1000001F': pad('The body.'),
      '__attach_version1.0_#00000000/__substg1.0_3707001F': pad('note.txt'),
      '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('Attached words. '.repeat(300)),
    }),
  )
  assert.equal(found.title, 'Subject line')
  assert.equal(found.time?.toISOString(), '2024-01-02T00:00:00.000Z')
  assert.ok(
    found.text.includes('The body.') && found.text.includes('note.txt\n\nAttached words.'),
    found.text.slice(0, 200),
  )
})

test('packed RTF is unpacked', () => {
  // Two letters, then a reference to them, then the end.
  const body = Buffer.from([0b1100, 0x61, 0x62, 0x0c, 0xf1, 0x0d, 0x40])
  const head = Buffer.alloc(16)
  head.writeUInt32LE(body.length + 12, 0)
  head.writeUInt32LE(5, 4)
  head.writeUInt32LE(0x75465a4c, 8)
  assert.equal(
    unpackRtf(Buffer.concat([head, body]))
      .toString('latin1')
      .slice(0, 5),
    'ababa',
  )
})
