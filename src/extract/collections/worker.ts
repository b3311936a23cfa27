// Runs in a thread of its own: recognises a collection, or unpacks it and hands over a few documents at a time.

import { type MessagePort, threadId } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import type { Item, Unpacked } from '../../ports/collections.ts'
import { limits } from '../limits.ts'
import { reportTo } from '../progress.ts'
import type { Context } from './format.ts'
import { isSetting, recognise } from './recognise.ts'
import { type OpenFile, openSource } from './source.ts'

export type Task = {
  file: OpenFile
  fileName: string | null
  port: MessagePort
  unpack: { ownName: string; tempFolder: string } | null // null: only look what it is
}
// A sign of life, or documents that want an answer.
export type Sign = { thread: number; share: number; items?: Item[] }
export type Outcome = { done: Unpacked } | { unreadable: string } | { broken: string }

export default async function work({ file, fileName, port, unpack }: Task): Promise<Outcome> {
  let share = 0
  const sign = (items?: Item[]) => port.postMessage({ thread: threadId, share, ...(items && { items }) } satisfies Sign)
  sign()
  reportTo((now) => {
    share = now
    sign()
  })
  const hand = async (items: Item[]) => {
    const kept = new Promise((resolve) => port.once('message', resolve))
    sign(items)
    await kept
  }
  try {
    const source = openSource(file, fileName)
    const found = await recognise(source)
    const formats = found.parts.map(({ format }) => format.name)
    if (!unpack) return { done: { formats, leftOut: {}, damaged: [] } }
    const leftOut: Record<string, number> = {}
    const leaveOut = (what: string, times = 1) => {
      leftOut[what] = (leftOut[what] ?? 0) + times
    }
    for (const file of found.others) leaveOut(isSetting(file) ? 'settings of Obsidian' : 'files of other kinds')
    for (const { format, files } of found.parts)
      await handAll(format.read(files, { ...unpack, fileName, leaveOut } satisfies Context), hand)
    return { done: { formats, leftOut, damaged: [...source.damaged] } }
  } catch (error) {
    if (error instanceof AppError) return { unreadable: error.message }
    return { broken: error instanceof Error ? `${error.stack}` : String(error) }
  } finally {
    reportTo(() => {})
    port.close()
  }
}

async function handAll(items: AsyncIterable<Item>, hand: (items: Item[]) => Promise<void>): Promise<void> {
  let batch: Item[] = []
  let [characters, all] = [0, 0]
  const flush = async () => {
    if (batch.length > 0) await hand(batch)
    ;[batch, characters] = [[], 0]
  }
  for await (const item of items) {
    if (++all > limits.collectionItems)
      throw new AppError('unreadable', `The file holds more than ${limits.collectionItems} documents.`)
    batch.push(item)
    characters += item.text.length + (item.file?.bytes.length ?? 0)
    if (batch.length >= limits.collectionBatch || characters > limits.collectionBatchCharacters) await flush()
  }
  await flush()
}
