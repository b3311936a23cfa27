// However a message is answered, it is recalled once: memories are looked up a single time.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { ownerKey } from '../src/domain/access.ts'
import { createEmbedder } from '../src/models/embedder.ts'
import { openRooms, type Rooms } from '../src/start.ts'
import { scriptedModel } from './scripted-model.ts'
import { storedIn, temporaryFolder } from './started.ts'

const DomainName = 'ada-l'
const embedder = createEmbedder()
let recalls = 0

// Counts how often memories are looked up.
function watch({ store }: Rooms): void {
  const { lookUp } = store.traces
  store.traces.lookUp = (...given) => {
    recalls++
    return lookUp(...given)
  }
}

async function open(settings: Record<string, string> = {}, folder = temporaryFolder()): Promise<Rooms> {
  const stored = await storedIn(folder)
  const rooms = await openRooms(readConfig({ MEMOIR_LOG: 'silent', ...stored, ...settings }), {
    embedder: { ...embedder, close: async () => {} },
  })
  watch(rooms)
  await rooms.app.admin({ key: ownerKey, requestId: 'test' }).createPersona({ domain_name: DomainName, name: 'Ada' })
  const service = rooms.app.as({ key: ownerKey, requestId: 'test' })
  for (const [Createdtime, Text] of [
    ['2024-03-10', 'We moved to the house by the lake.'],
    ['2024-03-12', 'The housewarming party was loud.'],
    ['2024-04-02', 'I planted roses in the garden of the house.'],
  ] as const)
    await service.memory({ DomainName, Text, SourceName: 'test', Createdtime })
  await rooms.learned()
  return rooms
}

const messages: [string, string, RegExp][] = [
  ['a question', 'What did I plant in the garden?', /roses/],
  ['a comparison', 'How many days passed between the move to the house and the housewarming party?', /^2 days\./],
  ['a comparison that memory cannot answer', 'Did Grace compile before Edsger walked?', /don't know that/],
  ['an overview', 'Give me a summary of what happened in the house.', /^- /],
  ['an overview that memory cannot give', 'Give me a summary of quantum chromodynamics.', /don't know that/],
]

const ask = async (rooms: Rooms, Text: string): Promise<string> => {
  recalls = 0
  const answer = await rooms.app.as({ key: ownerKey, requestId: 'test' }).message({ DomainName, Text }, {})
  return answer.ai_message
}

describe('a message is recalled once', () => {
  let rooms: Rooms
  const folder = temporaryFolder() // here: what a hook makes goes when the hook is over
  before(async () => {
    rooms = await open({}, folder)
  })
  after(async () => {
    await rooms.close()
    await embedder.close()
  })

  for (const [name, text, answer] of messages)
    test(name, async () => {
      assert.match(await ask(rooms, text), answer)
      assert.equal(recalls, 1)
    })

  test('small talk is not recalled at all', async () => {
    assert.match(await ask(rooms, 'Hello!'), /^Hello/)
    assert.equal(recalls, 0)
  })

  test('a chat model that fails leaves its recall to memory', async () => {
    const model = await scriptedModel()
    model.say({ status: 400 })
    const failing = await open({ MEMOIR_CHAT_MODEL: 'small', MEMOIR_CHAT_URL: model.url })
    try {
      assert.match(await ask(failing, 'What did I plant in the garden?'), /roses/)
      assert.equal(recalls, 1)
    } finally {
      await failing.close()
    }
  })
})
