// Memory that a reading thread takes beside its heap: unpacked streams and pictures, which its heap's own limit does not see.

import type { Worker } from 'node:worker_threads'
import { limits } from './limits.ts'

// Tells once, when the thread holds more than this beside its heap. The caller ends the watch by clearing the interval.
export function watchMemory(thread: Worker, memoryMib: number, onTooMuch: () => void): NodeJS.Timeout {
  let asking = false
  return setInterval(async () => {
    if (asking) return
    asking = true
    // Answered from within the thread's work, however busy it is; one that is gone has no memory any more.
    const figures = await thread.getHeapStatistics().catch(() => undefined)
    asking = false
    if (figures && figures.external_memory > memoryMib * 1024 * 1024) onTooMuch()
  }, limits.extractMemoryCheckMs)
}
