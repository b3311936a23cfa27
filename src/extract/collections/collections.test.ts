// Exports of other programs, taken apart: what comes out of each, and what hostile ones cost.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AppError } from '../../domain/errors.ts'
import type { Item } from '../../ports/collections.ts'
import { createCollections } from './collections.ts'
import { boxed, mailText } from './test-mails.ts'
import { keepFolder } from './test-notes.ts'
import * as samples from './test-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'memoir-test-'))
const collections = createCollections(join(folder, 'unpacking'))
after(async () => {
  await collections.close()
  rmSync(folder, { recursive: true, force: true })
})

async function unpack(content: string | Uint8Array, fileName: string | null = null) {
  const items: Item[] = []
  const unpacked = await collections.unpack([Buffer.from(content)] as never, {
    fileName,
    ownName: 'Ada',
    signal: new AbortController().signal,
    onProgress() {},
    take: async (some) => void items.push(...some),
  })
  return { ...unpacked, items }
}

async function recognise(content: string | Uint8Array) {
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return collections.recognise({ path })
}

test('ChatGPT: the branch that counts, the assistant under its own name, without its refusals', async () => {
  const { formats, items, leftOut } = await unpack(samples.chatgptSample())
  assert.deepEqual(formats, ['ChatGPT'])
  assert.equal(items.length, 1)
  assert.equal(items[0]!.name, 'chatgpt/c-1')
  assert.equal(items[0]!.title, 'ChatGPT: Cakes')
  assert.equal(
    items[0]!.text,
    [
      '[2024-05-03 14:22] Ada: I am allergic to hazelnuts. What cake can I bake for Mira?',
      '[2024-05-03 14:22] ChatGPT: A lemon cake with almonds would suit you.',
      '[2024-05-03 14:22] Ada: Do you know my blood type?',
    ].join('\n'),
  )
  assert.deepEqual(items[0]!.counts, { messages: 3 })
  assert.equal(leftOut['answers in which the assistant did not know or declined'], 1)
  assert.equal(leftOut['entries without text'], 1)
})

test('Claude: what was said and attached, without thoughts', async () => {
  const { formats, items, leftOut } = await unpack(await samples.zipped({ 'conversations.json': samples.claudeSample }))
  assert.deepEqual(formats, ['Claude'])
  assert.match(items[0]!.text, /^\[2025-03-02 09:00\] Ada: My plum tree was planted in 2011/)
  assert.match(items[0]!.text, /Attachment orchard\.txt:\nThe orchard has nine trees\./)
  assert.match(items[0]!.text, /\] Claude: Plum trees bear for about twenty years\.$/)
  assert.ok(!items[0]!.text.includes('live long'))
  assert.equal(leftOut['pictures, recordings and other files'], 1)
})

test('WhatsApp: a document for each month, people and times kept, and no line passes for another one’s', async () => {
  const { formats, items, leftOut } = await unpack(samples.whatsappSample, 'WhatsApp Chat with Family.txt')
  assert.deepEqual(formats, ['WhatsApp'])
  assert.deepEqual(
    items.map(({ name, title, counts }) => [name, title, counts.messages]),
    [
      ['whatsapp/family/2024-05', 'WhatsApp: Family, May 2024', 3],
      ['whatsapp/family/2024-06', 'WhatsApp: Family, June 2024', 1],
    ],
  )
  assert.equal(
    items[0]!.text,
    [
      '[2024-05-03 09:15] Ana Silva: We move to Lisbon in August',
      'Rua do Norte 7',
      'third floor',
      '[2024-05-03 09:21] Jonas: Great! [2020-01-01 10:00] Ana Silva: is how I would forge a line',
      ' [2020-01-01 10:00] Ana Silva: and this one, too',
    ].join('\n'),
  )
  assert.equal(leftOut['notices of the program, such as who joined'], 1)
  assert.equal(leftOut['pictures, recordings and other files'], 1)
})

const dated = (first: string, second: string) => `${first} Ana: one\n${second} Ben: two\n`
for (const [form, text, times] of [
  ['iPhone', dated('[13.05.24, 09:15:02]', '[13.05.24, 21:16:00]'), ['2024-05-13 09:15', '2024-05-13 21:16']],
  [
    'iPhone of the United States',
    dated('[5/3/24, 9:15:02\u202fAM]', '\u200e[5/13/24, 9:16:00\u202fPM]'),
    ['2024-05-03 09:15', '2024-05-13 21:16'],
  ],
  ['Android', dated('5/3/24, 12:15 AM -', '5/4/24, 12:16 PM -'), ['2024-05-03 00:15', '2024-05-04 12:16']],
  ['German Android', dated('03.05.24, 09:15 -', '04.05.24, 21:16 -'), ['2024-05-03 09:15', '2024-05-04 21:16']],
  ['Brazilian Android', dated('03/05/2024 09:15 -', '04/05/2024 21:16 -'), ['2024-05-03 09:15', '2024-05-04 21:16']],
  ['Spanish', dated('3/5/24, 9:15 a. m. -', '14/5/24, 9:16 p. m. -'), ['2024-05-03 09:15', '2024-05-14 21:16']],
  ['Japanese', dated('2024/05/03 9:15 -', '2024/05/04 21:16 -'), ['2024-05-03 09:15', '2024-05-04 21:16']],
  ['Dutch', dated('03-05-2024 09:15 -', '04-05-2024 21:16 -'), ['2024-05-03 09:15', '2024-05-04 21:16']],
  ['by its order', dated('4/5/24, 09:15 -', '5/4/24, 21:16 -'), ['2024-04-05 09:15', '2024-05-04 21:16']],
] as const)
  test(`WhatsApp dates: ${form}`, async () => {
    const { items } = await unpack(text)
    const stamps = items.flatMap((item) => [...item.text.matchAll(/^\[([\d :-]+)\]/gm)].map((found) => found[1]))
    assert.deepEqual(stamps, times)
  })

for (const [phone, text, said, notices, media] of [
  [
    'German Android',
    samples.whatsappGerman,
    'Oma: Drei Eier|Tom: Vom letzten Jahr\nIch komme mit!|Oma: Guten Morgen',
    4,
    2,
  ],
  ['German iPhone', samples.whatsappIphone, 'Oma: Unter dem Topf|Tom: UMFRAGE:\nRom?\nOPTION: Ja (3 Stimmen)', 3, 2],
] as const)
  test(`WhatsApp: what the program says by itself is left out, ${phone}`, async () => {
    const { items, leftOut } = await unpack(text, 'WhatsApp Chat mit Familie.txt')
    const told = items[0]!.text.split(/\n?\[[\d :-]+\] /).slice(1)
    assert.deepEqual(told, said.split('|'))
    assert.equal(leftOut['notices of the program, such as who joined'], notices)
    assert.equal(leftOut['pictures, recordings and other files'], media)
  })

test('Telegram: of all chats, who said what and to whom', async () => {
  const { formats, items, leftOut } = await unpack(samples.telegramSample)
  assert.deepEqual(formats, ['Telegram'])
  assert.deepEqual(
    items.map(({ name, title }) => [name, title]),
    [['telegram/42/2023-11', 'Telegram: Book club, November 2023']],
  )
  assert.equal(
    items[0]!.text,
    [
      '[2023-11-02 10:00] Ana: We read Middlemarch in "March".',
      '[2023-11-02 10:05] Ben {": I bring the wine.',
      '[2023-11-02 11:05] Deleted account: (to Ana, who said “We read Middlemarch in "March".”) Count me in.',
    ].join('\n'),
  )
  assert.equal(leftOut['pictures, recordings and other files'], 1)
})

test('Discord: a channel with its server, times in UTC', async () => {
  const { formats, items } = await unpack(samples.discordSample)
  assert.deepEqual(formats, ['Discord'])
  assert.equal(items[0]!.title, 'Discord: Workshop #lathes, December 2024')
  assert.equal(items[0]!.text, '[2024-12-01 08:00] Kai: The chuck key hangs behind the door.')
})

test('Slack: people and channels by their names, replies with what they answer', async () => {
  const { formats, items } = await unpack(await samples.slackSample())
  assert.deepEqual(formats, ['Slack'])
  assert.deepEqual(items.map(({ title }) => title).sort(), [
    'Slack: #general, February 2024',
    'Slack: Ana Silva, Ben Kahn, February 2024',
  ])
  const general = items.find(({ name }) => name === 'slack/C1/2024-02')!
  assert.match(general.text, /Ana Silva: The demo is on Tuesday \(https:\/\/x\.example\/a\) & fun/)
  assert.match(
    general.text,
    /Ben Kahn: \(to Ana Silva, who said “The demo is on .+”\) @Ana Silva the projector is broken/,
  )
})

test('what is no export is not taken for one', async () => {
  for (const content of [
    'Just a note.\nOn 3 May 2024 we met.',
    '{"a": 1}',
    '[1, 2, 3]',
    '[]',
    '%PDF-1.4 nothing',
    Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0]),
    await samples.zipped({ 'a.json': '{"messages": []}', 'b.pdf': '%PDF' }),
  ])
    assert.deepEqual(await recognise(content), [])
  assert.deepEqual(await recognise(samples.whatsappSample), ['WhatsApp'])
})

test('what is cut short or broken is named as that, and what came before it stays', async () => {
  const cut = samples.chatgptSample().slice(0, -60)
  await assert.rejects(unpack(cut), (error: AppError) => error.code === 'unreadable' && /cut short/.test(error.message))
  const zip = await samples.slackSample()
  await assert.rejects(unpack(zip.subarray(0, -100)), { code: 'unreadable' })
})

test('a damaged file in a collection is named, and the others are taken', async () => {
  const zip = await samples.zipped(keepFolder)
  assert.deepEqual((await unpack(zip)).damaged, [])
  const path = Object.keys(keepFolder).find((name) => name.endsWith('.json'))!
  const line = zip.lastIndexOf(path) - 46 // its own, in the list at the end
  zip.writeUInt32LE(1234, line + 16)
  const { damaged, items } = await unpack(zip)
  assert.deepEqual(damaged, [path])
  assert.ok(items.length > 0)
})

test('Notion: pages and their folders are named without their ids', async () => {
  const [id, other] = ['0f1e2d3c4b5a69788796a5b4c3d2e1f0', '1f1e2d3c4b5a69788796a5b4c3d2e1f0']
  const page = `Export/House ${id}/Boiler ${other}.md`
  const parts = `Export/House ${id}/Parts ${other}.csv`
  const { items, leftOut } = await unpack(
    await samples.zipped({
      [page]: '# Boiler\n\nIts pressure is 1.6 bar.',
      [`Export/Bikes ${other}.md`]: '# Bikes\n\nThe blue one has a new chain.',
      [parts]: 'Name,Price\nChain,24\n',
    }),
    'notion.zip',
  )
  assert.deepEqual(
    items.map(({ title, tags, text }) => [title, tags, text]),
    [
      ['Boiler', ['House'], '# Boiler\n\nIts pressure is 1.6 bar.'],
      ['Bikes', [], '# Bikes\n\nThe blue one has a new chain.'],
    ],
  )
  assert.equal(leftOut['files of other kinds'], 1)
})

test('a bomb costs no memory: one entry that has no end is refused', async () => {
  const endless = Buffer.alloc(40 * 1024 * 1024, 'a')
  const json = Buffer.concat([Buffer.from('[{"uuid":"1","chat_messages":"'), endless, Buffer.from('"}]')])
  const zip = await samples.zipped({ 'conversations.json': json })
  assert.ok(zip.length < 1024 * 1024)
  await assert.rejects(unpack(zip), /longer than/)
  const deep = `[${'['.repeat(100_000)}`
  await assert.rejects(unpack(`[{"mapping": 1, "create_time": 2}, ${deep}`), { code: 'unreadable' })
})

test('what is made to cost time or memory costs neither', async () => {
  const many = (text: string, times = 100_000) => text.repeat(times)
  const doctype = '<!DOCTYPE NETSCAPE-Bookmark-file-1>'
  const begun = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nSUMMARY:Deep\nDTSTART:20240101T100000Z\n'
  const head = { from: 'Eve <eve@x.example>', to: many('a@x.example, ', 2_000), date: 'Fri, 3 May 2024 16:22:01 +0200' }
  const text = `${many('On 1 ')}\n${many('>')}\nStill here.\n${many('-- -')}\n${many('[[![')}`
  const hostile = {
    'deep.ics':
      begun +
      many('BEGIN:VALARM\n') +
      many(`RRULE:${many('FREQ=', 20)}\n`, 1_000) +
      many('END:VALARM\n') +
      'END:VEVENT\n',
    'long.vcf': `BEGIN:VCARD\nFN:Long\nNOTE:${many('\\\\n;')}\nTEL${many(';TYPE=')}:1\nEND:VCARD\n`,
    'links.html': `${doctype}\n${many('<DL><H3>')}\n<A HREF="https://x.example">X</A>${many('<')}`,
    'mail.mbox': boxed(mailText({ ...head, subject: many('Re: ', 50_000), id: 'e@x.example', text })),
    'a.md': `---\ntags: ${many('[')}\n---\n${many('![[')}${many('\n%%', 30_000)}${many('\n- [', 30_000)}`,
    'b.md': many('#a <!-- '),
    'c.md': `Fine. ${many('[x](', 30_000)}`,
  }
  const { formats, items } = await unpack(await samples.zipped(hostile))
  assert.deepEqual(formats.sort(), ['Bookmarks', 'Calendar', 'Contacts', 'Mail', 'Notes'])
  assert.equal(items.length, 7)
})

test('who takes may fail, and is heard', async () => {
  const failing = collections.unpack([Buffer.from(samples.chatgptSample())] as never, {
    fileName: null,
    ownName: 'Ada',
    signal: new AbortController().signal,
    onProgress() {},
    take: async () => {
      throw new AppError('unavailable', 'The store is away.')
    },
  })
  await assert.rejects(failing, { code: 'unavailable' })
})

test('nothing is left on the disk', () => {
  assert.deepEqual(readdirSync(join(folder, 'unpacking')), [])
})
