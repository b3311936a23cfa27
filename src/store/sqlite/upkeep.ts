// Carries the log over into the file and looks for damage, beside the event loop: in a thread, begun when needed.
import { Worker } from 'node:worker_threads'
import { limits } from '../limits.ts'
import type { Done, Found, Task } from './upkeep-thread.ts'

export type Upkeep = {
  // So many bytes were written since the call before.
  wrote(bytes: number): void
  // What is wrong with the file. Takes as long as reading all of it.
  check(): Promise<Found>
  close(): Promise<void>
}

export function createUpkeep(path: string): Upkeep {
  let thread: Worker | undefined
  let waiting: { task: Task; resolve(found: Found): void }[] = []
  let bytes = 0

  const end = () => {
    thread = undefined
    for (const one of waiting) one.resolve({ damage: null, changed: [] })
    waiting = []
  }
  const ask = (task: Task): Promise<Found> => {
    if (!thread) {
      const made = new Worker(new URL('./upkeep-thread.ts', import.meta.url), { workerData: path })
      made.on('message', ({ task: done, ...found }: Done) => {
        const at = waiting.findIndex((one) => one.task === done)
        if (at >= 0) waiting.splice(at, 1)[0]!.resolve(found)
        if (waiting.length === 0) made.unref()
      })
      // Without a thread the log grows until the next one carries it over.
      made.on('error', end)
      made.on('exit', () => thread === made && end())
      thread = made
    }
    return new Promise((resolve) => {
      waiting.push({ task, resolve })
      thread!.postMessage(task)
    })
  }

  return {
    wrote(some) {
      bytes += some
      if (bytes < limits.checkpointBytes || waiting.some((one) => one.task === 'checkpoint')) return
      bytes = 0
      ask('checkpoint')
    },
    check: () => ask('check'),
    async close() {
      const ending = thread
      end()
      await ending?.terminate()
    },
  }
}
