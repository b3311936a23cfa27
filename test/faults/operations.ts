// What is done to a service while the ground gives way: one of every write that it acknowledges.
import { ADMIN_KEY, type Running, startOn } from './running.ts'

export type Made = { key: string; document: string; memory: string; drafts: string[]; exported: Uint8Array }

export type Operation = {
  name: string
  act(service: Running, made: Made): Promise<unknown>
  // Is done bit by bit, and goes on where it was when it is done again.
  inParts?: true
}

const DomainName = 'ada-l'
const of = `/personas/${DomainName}`

// A folder with a little of everything.
export async function makeBase(folder: string, databaseUrl?: string): Promise<Made> {
  const service = await startOn(folder, databaseUrl)
  await service.takeAdminKey()
  await service.admin('POST', '/personas', { domain_name: DomainName, name: 'Ada' })
  const { key } = (await service.admin('POST', '/keys', { personas: [DomainName], name: 'tests' })).body
  const post = (path: string, body: object) =>
    service.json('POST', `/v1/${path}`, key, body instanceof FormData ? body : { DomainName, ...body })
  const { headers } = await post('upload-text', { Title: 'Ferry', Text: 'The ferry leaves at noon.' })
  await post('memory', { Text: 'The lamp hangs in the hall.', SourceName: 'notes' })
  await post('upload-file', fileOf('first', 'The first file speaks of tulips.'))
  await service.learned()
  await post('message', { Text: 'When does the ferry leave?', SessionId: 'first' })
  for (const SessionId of ['one', 'two'])
    await post('message', { Text: 'Where does the lamp hang?', SessionId, is_draft: true }).catch(() => {})
  const exported = (await service.call('POST', `/admin${of}/export`, ADMIN_KEY)).bytes
  const drafts = (await service.admin('GET', `${of}/drafts`)).body.drafts as { id: string }[]
  const [memory] = (await service.admin('GET', `${of}/memories?limit=1`)).body.memories
  await service.close()
  return {
    key,
    document: headers.get('x-memoir-document-id')!,
    memory: memory.id,
    drafts: drafts.map(({ id }) => id),
    exported,
  }
}

const post = (path: string, body: object) => (service: Running, made: Made) =>
  service.call('POST', `/v1/${path}`, made.key, body instanceof FormData ? body : { DomainName, ...body })
const admin = (method: string, pathOf: (made: Made) => string, body?: object) => (service: Running, made: Made) =>
  service.admin(method, pathOf(made), body)

export const operations: Operation[] = [
  { name: 'upload of a text', act: post('upload-text', { Title: 'Bells', Text: 'The bells ring at nine.\n\nTwice.' }) },
  {
    name: 'upload of a file',
    act: (...given) => post('upload-file', fileOf('second', `Roses.\n${' '.repeat(600_000)}`))(...given),
  },
  { name: 'a memory', act: post('memory', { Text: 'The key lies under the pot.', SourceName: 'notes' }) },
  { name: 'a message', act: post('message', { Text: 'When does the ferry leave?', SessionId: 'second' }) },
  {
    name: 'a message that is remembered',
    act: post('message', { Text: 'I planted a pear tree.', SessionId: 'second', is_stack: true }),
  },
  {
    name: 'a replaced text',
    act: (service, made) =>
      service.call('PUT', `/v1/update-document?feed_id=${made.document}`, made.key, {
        DomainName,
        Text: 'The ferry leaves at one.',
      }),
  },
  { name: 'a deleted document', act: admin('DELETE', ({ document }) => `${of}/documents/${document}`) },
  { name: 'a deleted memory', act: admin('DELETE', ({ memory }) => `${of}/memories/${memory}`) },
  {
    name: 'an approved draft',
    act: admin('POST', ({ drafts }) => `${of}/drafts/${drafts[0]}/approve`, { text: 'In the hall, of course.' }),
  },
  { name: 'a rejected draft', act: admin('POST', ({ drafts }) => `${of}/drafts/${drafts[0]}/reject`) },
  { name: 'a deleted session', act: admin('DELETE', () => `${of}/sessions/first`) },
  { name: 'a new key', act: admin('POST', () => '/keys', { personas: [DomainName], name: 'another' }) },
  { name: 'a changed persona', act: admin('PATCH', () => of, { name: 'Ada Lovelace', threshold: 3 }) },
  { name: 'a deleted persona', act: admin('DELETE', () => of) },
  {
    name: 'an import',
    inParts: true,
    act: (service, made) => service.call('POST', '/admin/import?as=new-n', ADMIN_KEY, made.exported),
  },
]

function fileOf(name: string, text: string): FormData {
  const form = new FormData()
  form.set('file', new Blob([text]), `${name}.txt`)
  form.set('message_request', JSON.stringify({ DomainName, Title: name }))
  return form
}
