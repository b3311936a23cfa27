// Blocks as zstd frames, in their order: compressed by threads of their own, since one core is slower than a disk.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { limits } from './limits.ts'

export type Part = { bytes: Uint8Array; isLast: boolean }

export async function* compress(blocks: AsyncIterable<Part>): AsyncGenerator<Part> {
  const threads: Thread[] = []
  const packing: { bytes: Promise<Uint8Array>; isLast: boolean }[] = []
  const most = Math.min(availableParallelism(), limits.compressionThreads)
  let next = 0
  try {
    for await (const { bytes, isLast } of blocks) {
      if (threads.length < most) threads.push(startThread())
      const packed = threads[next++ % threads.length]!.pack(bytes)
      packed.catch(() => {}) // told to whoever waits for it
      packing.push({ bytes: packed, isLast })
      if (packing.length > most) yield await first(packing)
    }
    while (packing.length > 0) yield await first(packing)
  } finally {
    await Promise.all(threads.map(({ stop }) => stop()))
  }
}

async function first(packing: { bytes: Promise<Uint8Array>; isLast: boolean }[]): Promise<Part> {
  const { bytes, isLast } = packing.shift()!
  return { bytes: await bytes, isLast }
}

type Thread = { pack(bytes: Uint8Array): Promise<Uint8Array>; stop(): Promise<unknown> }

// It has the priority of the thread that starts it.
function startThread(): Thread {
  const worker = new Worker(new URL('./compress-thread.ts', import.meta.url))
  const asked: PromiseWithResolvers<Uint8Array>[] = []
  worker.on('message', (packed: Uint8Array) => asked.shift()!.resolve(packed))
  worker.on('error', (error) => {
    for (const { reject } of asked.splice(0)) reject(error)
  })
  return {
    pack(bytes) {
      const one = Promise.withResolvers<Uint8Array>()
      asked.push(one)
      const own = ownBytes(bytes)
      worker.postMessage(own, [own.buffer])
      return one.promise
    },
    stop: () => worker.terminate(),
  }
}

// Gives memory back at once. Left to the collector it costs more than what it held: every 64 MiB of it bring about a
// collection of everything.
export const release = (bytes: Uint8Array<ArrayBuffer>): void => {
  bytes.buffer.transfer(0)
}

// What can be given to another thread: small buffers share their memory with others.
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer.byteLength === bytes.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
