// Documents and memories as their owner looks through them: searched, narrowed down, described anew, read as they came.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ADMIN_KEY, startService } from './started.ts'

const service = await startService()
const { admin } = service
const ofPersona = '/personas/ida'
const FILE = `%PDF-1.4 ${'broken '.repeat(400_000)}` // of several pieces, and quick to give up on

const list = async (query: string): Promise<string[]> =>
  (await admin('GET', `${ofPersona}/documents?${query}`)).documents.map((one: { title: string }) => one.title)
const diary = async (query: string): Promise<string[]> =>
  (await admin('GET', `${ofPersona}/timeline?${query}`)).memories.map((one: { text: string }) => one.text)
const refused = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call({ method, path: `/admin${path}`, key: ADMIN_KEY, body })
  return [answer.status, answer.body.detail]
}

before(async () => {
  await service.persona('ida')
  const key = await service.key(['ida'])
  const post = (path: string, body: object) =>
    service.call({ path: `/v1/${path}`, key, body: { DomainName: 'ida', ...body } })
  await post('upload-text', {
    Title: 'Bread',
    Text: 'Bread is baked at six.',
    Tags: 'food',
    StartTime: '2001-01-01T00:00:00Z',
  })
  await post('upload-text', { Title: 'apples', Text: 'Apples are red.', Tags: 'food, red', is_stack: false })
  await post('upload-text', { Title: 'Cats 100%', Text: 'Cats sleep a lot.', Tags: 'seafood', SourceName: 'shop' })
  await post('memory', { Text: 'I saw a cat.', Createdtime: '1999-05-05T00:00:00Z', SourceName: 'phone', Tags: 'pets' })
  const file = new FormData()
  file.set('file', new Blob([FILE]), 'Pets.pdf')
  await service.call({ path: '/v1/upload-file?DomainName=ida', key, body: file })
  await service.learned()
})

describe('documents', () => {
  const found: [string, string[]][] = [
    ['', ['Pets.pdf', 'Cats 100%', 'apples', 'Bread']],
    ['sort=oldest', ['Bread', 'apples', 'Cats 100%', 'Pets.pdf']],
    ['sort=title', ['apples', 'Bread', 'Cats 100%', 'Pets.pdf']],
    ['text=PETS', ['Pets.pdf']],
    ['text=100%25', ['Cats 100%']],
    ['kind=file', ['Pets.pdf']],
    ['draft=true', ['apples']],
    ['draft=false&kind=text', ['Cats 100%', 'Bread']],
    ['tag=food', ['apples', 'Bread']],
    ['tag=food&sort=title&text=br', ['Bread']],
    ['until=2002-01-01', ['Bread']],
    ['since=2002-01-01&kind=text', ['Cats 100%', 'apples']],
    ['state=failed', ['Pets.pdf']],
  ]
  for (const [query, titles] of found)
    test(`are listed by "${query}"`, async () => assert.deepEqual(await list(query), titles))

  test('come in pages in whatever order', async () => {
    for (const sort of ['newest', 'oldest', 'title']) {
      const seen: string[] = []
      let next = ''
      do {
        const page = await admin('GET', `${ofPersona}/documents?sort=${sort}&limit=2&before=${next}`)
        seen.push(...page.documents.map((one: { title: string }) => one.title))
        next = page.next ?? ''
      } while (next !== '')
      assert.deepEqual(seen, await list(`sort=${sort}`))
    }
    assert.deepEqual(await refused('GET', `${ofPersona}/documents?sort=size`), [
      400,
      'sort must be newest, oldest or title.',
    ])
  })

  test('are described anew, and a new time reaches the memories', async () => {
    const [bread] = (await admin('GET', `${ofPersona}/documents?text=bread`)).documents
    const at = `${ofPersona}/documents/${bread.id}`
    const changed = await admin('PATCH', at, {
      title: 'Loaves',
      tags: ['oven'],
      source_name: 'baker',
      start_time: '1990-02-03T00:00:00Z',
    })
    assert.deepEqual(
      [changed.title, changed.tags, changed.source_name, changed.start_time_utc],
      ['Loaves', ['oven'], 'baker', '1990-02-03T00:00:00.000Z'],
    )
    await service.learned()
    assert.deepEqual(await list('source=baker'), ['Loaves'])
    assert.deepEqual(await diary('until=1991-01-01'), ['Bread is baked at six.'])
    const same = await admin('PATCH', at, { tags: [] })
    assert.deepEqual([same.title, same.tags, same.state], ['Loaves', [], 'ready'])
    assert.equal((await refused('PATCH', at, { start_time: 'soon' }))[0], 400)
    assert.equal((await refused('PATCH', `${ofPersona}/documents/none`, { title: 'x' }))[0], 404)
    await service.persona('other')
    assert.equal((await refused('PATCH', `/personas/other/documents/${bread.id}`, { title: 'x' }))[0], 404)
  })

  test('give back the file they came from, byte for byte', async () => {
    const [pets] = (await admin('GET', `${ofPersona}/documents?kind=file`)).documents
    const pieces: Buffer[] = []
    let next: number | null = 0
    let name = ''
    while (next !== null) {
      const piece = await admin('GET', `${ofPersona}/documents/${pets.id}/file?from=${next}`)
      pieces.push(Buffer.from(piece.base64, 'base64'))
      next = piece.next
      name = piece.file_name
    }
    assert.equal(name, 'Pets.pdf')
    assert.ok(Buffer.concat(pieces).equals(Buffer.from(FILE)))
    const [text] = (await admin('GET', `${ofPersona}/documents?kind=text`)).documents
    assert.deepEqual(await refused('GET', `${ofPersona}/documents/${text.id}/file`), [
      404,
      'This document came without a file.',
    ])
    assert.equal((await refused('GET', `/personas/other/documents/${pets.id}/file`))[0], 404)
    assert.equal((await refused('GET', `${ofPersona}/documents/${pets.id}/file?from=-1`))[0], 400)
  })
})

describe('the timeline', () => {
  test('is narrowed down to plain memories, a tag, a source, a time', async () => {
    assert.deepEqual(await diary('kind=memory'), ['I saw a cat.'])
    assert.deepEqual(await diary('tag=pets&source=phone'), ['I saw a cat.'])
    assert.ok(!(await diary('kind=document')).includes('I saw a cat.'))
    assert.ok(!(await diary('since=2000-01-01')).includes('I saw a cat.'))
    const [memory] = (await admin('GET', `${ofPersona}/timeline?kind=memory`)).memories
    assert.equal(memory.source_name, 'phone')
  })
})
