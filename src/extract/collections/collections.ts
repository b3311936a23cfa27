// Opens collections in threads with limits on memory and time, from a file on disk that nobody else can find.

import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { AppError } from '../../domain/errors.ts'
import type { Collections, Unpacked, Unpacking } from '../../ports/collections.ts'
import { newScratchKey, scramble } from '../../scratch.ts'
import { asFailure, BROKEN, tooMuchMemory, watchReading } from '../extractor.ts'
import { limits } from '../limits.ts'
import { watchMemory } from '../memory.ts'
import type { Outcome, Sign, Task } from './worker.ts'

// `onBroken` is told what a reader stumbled over: the owner reads a sentence, the log gets the rest.
export function createCollections(tempFolder: string, onBroken?: (stack: string) => void): Collections {
  const pool = new Piscina<Task, Outcome>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: limits.collectionThreads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: limits.collectionMemoryMib, stackSizeMb: 8 },
    recordTiming: false,
  })
  const clocks = { silenceMs: limits.collectionSilenceMs, timeoutMs: limits.collectionTimeoutMs }

  async function run(task: Omit<Task, 'port'>, watch: Partial<Unpacking>): Promise<Unpacked> {
    const { port1, port2 } = new MessageChannel()
    const stop = new AbortController()
    const watched = watchReading(stop, clocks)
    let memory: NodeJS.Timeout | undefined
    port1.on('message', async ({ thread, share, items }: Sign) => {
      const worker = pool.threads.find(({ threadId }) => threadId === thread)
      if (worker) memory ??= watchMemory(worker, limits.collectionMemoryMib, () => stop.abort(tooMuchMemory()))
      watched.seen()
      watch.onProgress?.(share)
      if (!items) return
      try {
        watched.pause()
        await watch.take?.(items)
        watched.seen()
        port1.postMessage('kept')
      } catch (error) {
        stop.abort(error)
      }
    })
    const cancel = () => stop.abort()
    watch.signal?.addEventListener('abort', cancel, { once: true })
    try {
      watch.signal?.throwIfAborted()
      const outcome = await pool.run({ ...task, port: port2 }, { transferList: [port2], signal: stop.signal })
      if ('done' in outcome) return outcome.done
      if ('broken' in outcome) onBroken?.(outcome.broken)
      throw new AppError('unreadable', 'unreadable' in outcome ? outcome.unreadable : BROKEN)
    } catch (error) {
      const { reason } = stop.signal
      // What went wrong while keeping is not the file's fault, and is told as it is.
      const isOurs = reason instanceof Error && (reason as { name: string }).name !== 'AbortError'
      throw isOurs ? reason : asFailure(error, watch.signal)
    } finally {
      clearInterval(memory)
      watched.end()
      watch.signal?.removeEventListener('abort', cancel)
      port1.close()
    }
  }

  return {
    async recognise({ path, key }) {
      const file = await open(path, 'r')
      try {
        return (await run({ file: { descriptor: file.fd, key }, fileName: null, unpack: null }, {})).formats
      } catch (error) {
        // What cannot be looked into is no collection; whether it can be read at all is found out when it is learned.
        if (error instanceof AppError) return []
        throw error
      } finally {
        await file.close()
      }
    },
    async unpack(pieces, options) {
      const key = newScratchKey()
      const file = await spill(tempFolder, scrambled(pieces, key), options.signal)
      const { fileName, ownName } = options
      try {
        return await run({ file: { descriptor: file.fd, key }, fileName, unpack: { ownName, tempFolder } }, options)
      } finally {
        await file.close()
      }
    },
    close: () => pool.close({ force: true }),
  }
}

async function* scrambled(pieces: AsyncIterable<Uint8Array>, key: Uint8Array): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of pieces) {
    yield scramble(key, at, piece)
    at += piece.length
  }
}

// A file without a name: it is gone with whoever has it open, also when that one is killed.
async function spill(folder: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<FileHandle> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    for await (const piece of pieces) {
      signal.throwIfAborted()
      await file.write(piece)
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
