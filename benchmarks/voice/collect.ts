// Teaches each persona, recalls for each question as for a chat model, and hands over what could be answered.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { ownerKey } from '../../src/domain/access.ts'
import type { Recollection } from '../../src/domain/memory.ts'
import { understand } from '../../src/language/language.ts'
import type { Reader } from '../../src/ports/models.ts'
import { createIndexCache } from '../../src/recall/index/cache.ts'
import { createRerank } from '../../src/recall/rerank.ts'
import { hearMessage } from '../../src/reply/hear.ts'
import { limits } from '../../src/reply/limits.ts'
import { createOccasion } from '../../src/reply/responder.ts'
import { recollection } from '../../src/reply/test-recollection.ts'
import { openRooms } from '../../src/start.ts'
import { createKeptEmbedder } from '../recall/kept-embedder.ts'
import { type Made, type MadePersona, makeAnswers, type Order } from './answers.ts'

export type Occurrence = {
  set: string
  group: string
  question: string
  shown: Recollection[] // the last ones are orders that someone had it remember
  answers: Made[]
}

// About so many answers, spread evenly over personas and questions.
export async function collect(
  reader: Reader,
  personas: MadePersona[],
  orders: readonly Order[],
  count: number,
): Promise<Occurrence[]> {
  const data = mkdtempSync(join(tmpdir(), 'memoir-voice-'))
  const embedder = createKeptEmbedder('voice')
  const rooms = await openRooms(readConfig({ MEMOIR_DATA: data, MEMOIR_LOG: 'error', MEMOIR_READER: '0' }), {
    embedder: { ...embedder, close: async () => {} },
  })
  const indexes = createIndexCache({ store: rooms.store, embedder }, 1024)
  const needs = { store: rooms.store, embedder, indexes, reader, rerank: createRerank(reader) }
  const found: Occurrence[] = []
  const shares = { talk: 0.5, squad2: 0.5 }
  for (const [number, one] of personas.entries()) {
    const DomainName = `p-${number}`
    const owner = { key: ownerKey, requestId: 'voice' }
    await rooms.app.admin(owner).createPersona({ domain_name: DomainName, name: one.name })
    const service = rooms.app.as(owner)
    for (const { text, time, title } of one.items)
      if (title === undefined) await service.memory({ DomainName, Text: text, SourceName: 'voice', Createdtime: time })
      else await service.uploadText({ DomainName, Text: text, Title: title, StartTime: time, is_stack: true })
    await rooms.learned()
    const persona = (await rooms.store.personas.byDomainName(DomainName))!
    const own = personas.filter(({ set }) => set === one.set).length
    const most = Math.ceil((count * shares[one.set]) / own)
    const elsewhere = personas[(number + 1) % personas.length]!.items[3]!.text.split(/(?<=\.)\s/)[0]!
    let made = 0
    for (const at of one.set === 'talk' ? one.questions.keys() : spread(one.questions.length, most / 4)) {
      if (made >= most) break
      const asked = one.questions[at]!
      const message = understand(await hearMessage(needs, persona, asked.text))
      const search = { query: message.query, size: limits.promptRecollections - orders.length }
      const { recollections } = await createOccasion(needs, persona, { message }, search).recalled()
      const readings = await reader.read(
        asked.text,
        orders.map(({ text }) => text),
      )
      const shown = [
        ...recollections,
        ...orders.map(({ text }, place) => ({ ...recollection(text), reading: readings[place]! })),
      ]
      const answers = makeAnswers(asked, recollections, elsewhere, orders, found.length)
      if (answers.length === 0) continue
      made += answers.length
      found.push({ set: one.set, group: one.group, question: message.question, shown, answers })
    }
    console.error(one.group, made)
  }
  await rooms.close()
  await embedder.close()
  rmSync(data, { recursive: true, force: true })
  return found
}

// All numbers below a count: first some at even distances, then those beside them, and so on.
function spread(count: number, first: number): number[] {
  const step = Math.max(1, Math.floor(count / first))
  return Array.from({ length: count }, (_, at) => at).sort((one, two) => (one % step) - (two % step) || one - two)
}
