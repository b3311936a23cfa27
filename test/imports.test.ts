// What people keep in other programs, through the front: mail, and what else is no chat. Recognised by what is in it,
// with people, times and threads, and with a count of what was left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as mails from '../src/extract/collections/test-mails.ts'
import * as notes from '../src/extract/collections/test-notes.ts'
import { zipped } from '../src/extract/collections/test-samples.ts'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
await service.persona('ada-l', { name: 'Ada', owner: { name: 'Ada' } })
const key = await service.key(['ada-l'])

type Listed = { id: string; title: string; kind: string; start_time_utc: string; tags: string[]; state: string }

const BYTES = { 'content-type': 'application/octet-stream' }

async function learn(content: string | Uint8Array, name: string) {
  const { status, body } = await service.call({
    path: `/admin/personas/ada-l/learn?file_name=${encodeURIComponent(name)}`,
    key: ADMIN_KEY,
    body: Buffer.from(content),
    headers: BYTES,
  })
  assert.equal(status, 200, JSON.stringify(body))
  await service.learned()
  const collection = await service.admin('GET', `/personas/ada-l/documents/${body.id}`)
  assert.equal(collection.state, 'ready', collection.error)
  const path = `/personas/ada-l/documents?limit=200&request_id=${body.id}`
  const { documents } = (await service.admin('GET', path)) as { documents: Listed[] }
  const textOf = async (title: string): Promise<string> => {
    const found = documents.find((one) => one.title === title)
    assert.ok(found, `${title} is not among ${documents.map((one) => one.title).join(', ')}`)
    return (await service.admin('GET', `/personas/ada-l/documents/${found.id}`)).text
  }
  return { unpacked: collection.unpacked, error: collection.error, documents, textOf }
}
const ask = async (Text: string): Promise<string> =>
  (await service.call({ path: '/v1/message', key, body: { DomainName: 'ada-l', Text } })).body.ai_message

test('a mailbox: conversations with who wrote to whom and when, without quotations, signatures and spam', async () => {
  const { unpacked, documents, textOf } = await learn(mails.mailbox, 'anything.bin')
  assert.deepEqual(unpacked, {
    formats: ['Mail'],
    added: 5,
    changed: 0,
    unchanged: 0,
    contents: { attachments: 1, mails: 6 },
    left_out: {
      'quotations and signatures in mails': 3,
      'mails in the trash, in spam or not sent': 1,
      'pictures, recordings and other files': 1,
      'mails that are in it twice': 1,
    },
  })
  assert.equal(
    await textOf('Mail: Kitchen tiles'),
    [
      '[2024-05-03 14:22] Ana Silva: (to Ada and Ben Kahn, about “Kitchen tiles”) The tiles arrive on the twelfth of June.',
      '',
      'From here on the mason knows what to do.',
      '[2024-05-04 09:00] Ada: (to Ana Silva) My plumber is called Oskar.',
      '[2024-05-06 10:00] Ana Silva: (to Ada) Oskar may come on Monday.',
    ].join('\n'),
  )
  assert.match(await textOf('Mail: Prize'), /\] Ada \(winner@prizes\.example\): \(to Ada/)
  assert.match(
    await textOf('Mail: Concert'),
    /Ben Kahn: \(to Ana Silva, about “Concert”\) The concert is in the Gasteig\.$/,
  )
  assert.deepEqual(documents.find(({ title }) => title === 'Mail: Concert')!.tags, ['Music'])
  assert.match(await textOf('Mail: Papers'), /papers of the boat\.\nAttached: boat\.txt, boat\.jpg\.$/)
  assert.match(await textOf('boat.txt (from Ben Kahn, 9 May 2024)'), /berth 41/)
})

test('of mail one can ask who wrote what, and when', async () => {
  assert.match(await ask('What did Ana Silva write about the tiles?'), /Ana Silva.*twelfth of June/)
  assert.match(await ask('When did Ana Silva say that the tiles arrive?'), /3 May 2024/)
  assert.match(await ask('What is the name of your plumber?'), /^[^“]*Oskar/)
  assert.match(await ask('In which berth does the boat lie?'), /41/)
  assert.ok(!(await ask('What is your favourite shop?')).startsWith('My favourite shop'))
})

test('mails as files in a folder are the same mails, and bring only what is new', async () => {
  const later = mails.mailText({
    from: 'Ana Silva <ana@tiles.example>',
    to: 'Ada <ada@home.example>',
    date: 'Mon, 10 Jun 2024 10:00:00 +0000',
    subject: 'Re: Kitchen tiles',
    id: 'k4@tiles.example',
    heads: ['References: <k1@tiles.example> <k2@home.example>'],
    text: 'The tiles are here.',
  })
  const { kitchen, reply, loose, withFiles } = mails
  const emlx = `${Buffer.byteLength(later)}\n${later}<?xml version="1.0"?><plist></plist>`
  const folder = { 'a/1.eml': kitchen, 'a/2.eml': reply.replaceAll('\n', '\r\n'), '3.eml': loose, '4.emlx': emlx }
  const { unpacked, textOf } = await learn(await zipped({ ...folder, '5.eml': withFiles }), 'mails.zip')
  assert.deepEqual([unpacked.added, unpacked.changed, unpacked.unchanged], [0, 1, 2])
  assert.match(await textOf('Mail: Kitchen tiles'), /\[2024-06-10 10:00\] Ana Silva: \(to Ada\) The tiles are here\.$/)
})

test('a folder of Markdown: front matter, links in words, folders as tags; settings and pictures are counted', async () => {
  const { unpacked, documents, textOf } = await learn(await zipped(notes.vault), 'Vault.zip')
  assert.deepEqual(unpacked, {
    formats: ['Notes'],
    added: 2,
    changed: 0,
    unchanged: 0,
    contents: { notes: 2 },
    left_out: {
      'settings of Obsidian': 1,
      'files of other kinds': 1,
      'pictures, recordings and other files': 1,
      'entries without text': 1,
    },
  })
  assert.equal(
    await textOf('The boat'),
    [
      '# The boat',
      '',
      'Also called Marguerite, the old lady.',
      '',
      'Bought from Oskar, see Engine, Oil and Engine. #wood ',
      '',
      '- To do: paint the hull',
      '- Done: buy a rope',
      '',
      '> The rudder is new',
      '',
      '```',
      '[[stays]]',
      '```',
    ].join('\n'),
  )
  const [boat, day] = ['The boat', '2024-02-11'].map((title) => documents.find((one) => one.title === title)!)
  assert.deepEqual(boat!.tags, ['Projects', 'sailing', 'harbour/west', 'wood'])
  assert.deepEqual(
    [boat!.start_time_utc, day!.start_time_utc],
    ['2023-04-02T00:00:00.000Z', '2024-02-11T00:00:00.000Z'],
  )
  const more = { ...notes.vault, 'Daily/2024-02-12.md': 'The barometer fell all day.' }
  const again = (await learn(await zipped(more), 'Vault (1).zip')).unpacked
  assert.deepEqual([again.added, again.changed, again.unchanged], [1, 0, 2])
  assert.match(await ask('With whom did you walk to the lighthouse?'), /Mira/)
})

test('Google Keep and Apple’s Notes: labels, lists, folders; what is archived or deleted is left out', async () => {
  const keep = await learn(await zipped(notes.keepFolder), 'takeout.zip')
  assert.deepEqual(keep.unpacked.formats, ['Google Keep'])
  assert.deepEqual(keep.unpacked.contents, { notes: 2 })
  assert.deepEqual(keep.unpacked.left_out, {
    'files of other kinds': 1,
    'pictures, recordings and other files': 1,
    'notes in the trash': 1,
    'archived notes': 1,
  })
  assert.equal(await keep.textOf('Shopping'), '# Shopping\n\n- cardamom\n- rye flour (done)')
  const shopping = keep.documents.find(({ title }) => title === 'Shopping')!
  assert.deepEqual([shopping.tags, shopping.start_time_utc], [['House'], '2023-11-14T22:13:20.000Z'])
  const apple = await learn(await zipped(notes.appleNotes), 'icloud.zip')
  assert.deepEqual(apple.unpacked.contents, { notes: 2 })
  assert.deepEqual(apple.unpacked.left_out, { 'notes in the trash': 1 })
  assert.equal(await apple.textOf('Recipe of Aunt Ilse'), 'Recipe of Aunt Ilse\nThe secret is a spoon of malt.')
  assert.equal(await apple.textOf('Hut'), 'Hut\n\nThe key lies below the third stone.')
  assert.deepEqual(apple.documents.find(({ title }) => title === 'Hut')!.tags, ['Notes'])
  assert.match(await ask('What is the wifi of the hut called?'), /Murmeltier/)
})

test('a calendar: times in their zones, people, and rules in a sentence', async () => {
  const { unpacked, documents, textOf } = await learn(notes.calendarFile, 'basic')
  assert.deepEqual(unpacked.formats, ['Calendar'])
  assert.deepEqual(unpacked.contents, { events: 4 })
  assert.deepEqual(unpacked.left_out, { 'cancelled events': 1, 'tasks and other entries that are no events': 1 })
  assert.equal(
    await textOf('Dentist'),
    [
      'Dentist, on Friday, 3 May 2024, 14:00 to 15:30 (Europe/Berlin), at Practice Kahn, Main Street 5.',
      'With Ana Silva. Organised by Kahn, Dr. Ben. Declined by Carl.',
      'Bring the card',
      'and the x-ray.',
    ].join('\n'),
  )
  assert.equal(
    await textOf('Choir rehearsal'),
    'Choir rehearsal, on Friday, 5 January 2024, 19:00 to 21:00 (Europe/Berlin).\nIt repeats every 2 weeks on Friday, until 30 June 2024, but not on 15 March 2024 and 29 March 2024.',
  )
  assert.match(
    await textOf('Choir rehearsal in the church'),
    /takes the place of the one on Friday, 2 February 2024\.$/,
  )
  assert.match(
    await textOf('Holidays in Norway'),
    /, from Saturday, 10 August 2024 to Saturday, 17 August 2024\.\nIt repeats every year\.$/,
  )
  const times = new Map(documents.map(({ title, start_time_utc }) => [title, start_time_utc]))
  assert.equal(times.get('Dentist'), '2024-05-03T12:00:00.000Z')
  assert.equal(times.get('Choir rehearsal'), '2024-01-05T18:00:00.000Z')
  assert.equal(times.get('Choir rehearsal in the church'), '2024-02-03T16:00:00.000Z')
  assert.match(await ask('When is the dentist appointment?'), /3 May 2024/)
})

test('contacts: a memory for each person, of every version of the format', async () => {
  const { unpacked, documents, textOf } = await learn(notes.contactsFile, 'all')
  assert.deepEqual(unpacked.formats, ['Contacts'])
  assert.deepEqual(unpacked.contents, { contacts: 2 })
  assert.deepEqual(unpacked.left_out, {
    'pictures, recordings and other files': 1,
    'contacts of which only the name is known': 1,
  })
  assert.equal(
    await textOf('Greta Lindqvist'),
    [
      'Greta Lindqvist is also called Gretchen.',
      'Greta Lindqvist works at Harbour Office, Berths as Harbour master.',
      'Greta Lindqvist’s birthday is 30 November 1978.',
      'Greta Lindqvist’s mobile phone number is +46 555 0107.',
      'Greta Lindqvist’s work e-mail address is greta@harbour.example.',
      'Greta Lindqvist’s home address is Quay 7, 621 57 Visby, Sweden.',
      'Greta Lindqvist’s brother is Sven.',
      'Note about Greta Lindqvist. Likes liquorice, and opens the gate only before nine.',
    ].join('\n'),
  )
  assert.equal(
    await textOf('Jörg Müller'),
    'Jörg Müller’s birthday is 14 February.\nJörg Müller’s mobile phone number is 0171 5550.\nNote about Jörg Müller. Repairs clocks and barometers.',
  )
  assert.deepEqual(documents.find(({ title }) => title === 'Greta Lindqvist')!.tags, ['Sailing', 'Sweden'])
  const { memories } = await service.admin('GET', '/personas/ada-l/memories?limit=100')
  const about = memories.filter(({ text }: { text: string }) => text.includes('Lindqvist’s'))
  assert.equal(about.length, 1)
  assert.match(await ask('When is Greta Lindqvist’s birthday?'), /30 November 1978/)
})

test('bookmarks: folder, title, address and day', async () => {
  const { unpacked, documents, textOf } = await learn(notes.bookmarksFile, 'places')
  assert.deepEqual(unpacked.formats, ['Bookmarks'])
  assert.deepEqual(unpacked.contents, { bookmarks: 2 })
  assert.deepEqual(unpacked.left_out, { 'bookmarks of no web page': 1, 'bookmarks that are in it twice': 1 })
  assert.equal(
    await textOf('Bowline & friends'),
    'Bookmark “Bowline & friends” in the folder Sailing, saved on 1 February 2024: https://knots.example/?a=1&b=2\nHow to tie it with one hand',
  )
  assert.deepEqual(documents.find(({ title }) => title === 'Bowline & friends')!.tags, ['Sailing', 'rope', 'diy'])
  const again = (await learn(notes.bookmarksFile, 'places')).unpacked
  assert.deepEqual([again.added, again.changed, again.unchanged], [0, 0, 2])
})

test('what of a zip could not be read is told with the document, and what could be stays', async () => {
  const papers = await zipped({
    'ship.pdf.txt': 'The ship Argo lies in berth 12.',
    'crew.txt': 'Its crew is of fifty.',
  })
  const place = `/admin/personas/ada-l/learn?file_name=papers.zip`
  const cut = papers.subarray(0, papers.indexOf('crew.txt') - 30)
  const { body } = await service.call({ path: place, key: ADMIN_KEY, body: cut, headers: BYTES })
  await service.learned()
  const document = await service.admin('GET', `/personas/ada-l/documents/${body.id}`)
  assert.deepEqual(
    [document.state, document.error],
    ['ready', 'This zip ends early: 1 file was read, the rest is missing. Upload it again.'],
  )
  assert.match(await ask('In which berth does the ship Argo lie?'), /12/)

  const damaged = await zipped(notes.keepFolder)
  const path = Object.keys(notes.keepFolder).find((name) => name.endsWith('.json'))!
  damaged.writeUInt32LE(1234, damaged.lastIndexOf(path) - 30)
  const { error } = await learn(damaged, 'takeout.zip')
  assert.ok(error.startsWith(`Damaged in the file: ${path}. What could be read of that came in`), error)
})
