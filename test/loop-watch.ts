// Loaded into a service under attack (--import): says for how long one turn of its event loop has held the thread, in CPU
// time, so that a busy machine does not count, and in wall time, so that waiting does; and how much memory it took.
import { clearInterval, setInterval } from 'node:timers'

export type Watched = { cpuMs: number; wallMs: number; peakMib: number }

const TICK_MS = 5
let worst: Watched = { cpuMs: 0, wallMs: 0, peakMib: 0 }
let before = { cpu: process.threadCpuUsage(), at: performance.now() }

const look = () => {
  const now = { cpu: process.threadCpuUsage(), at: performance.now() }
  const cpuMs = (now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system) / 1000
  const wallMs = now.at - before.at - TICK_MS
  worst = {
    cpuMs: Math.max(worst.cpuMs, cpuMs),
    wallMs: Math.max(worst.wallMs, wallMs),
    peakMib: Math.max(worst.peakMib, process.memoryUsage.rss() / 2 ** 20),
  }
  before = now
}
const ticking = setInterval(look, TICK_MS).unref()

process.on('message', (said) => {
  if (said !== 'read and begin again') return
  look()
  process.send!(worst)
  worst = { cpuMs: 0, wallMs: 0, peakMib: 0 }
})
process.channel?.unref()
process.once('disconnect', () => clearInterval(ticking))
