// Callers without a pause for a while: how many answers a second, how long each took, and whose CPU it cost.
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export type Figures = {
  rate: number
  medianMs: number
  slowMs: number
  cpuMs: number
  databaseCpuMs: number
  failed: number
}
type Call = { path: string; body: object }

export async function load(
  { urls, key, pids, databasePid }: { urls: string[]; key: string; pids: number[]; databasePid: number | undefined },
  { callers, ms }: { callers: number; ms: number },
  next: (n: number) => Call,
): Promise<Figures> {
  const agents = urls.map(() => new Agent({ keepAlive: true, maxSockets: callers }))
  const took: number[] = []
  let failed = 0
  let sent = 0
  const began = performance.now()
  const before = { memoir: cpuOf(pids), database: cpuOfTree(databasePid) }
  const caller = async (c: number) => {
    while (performance.now() - began < ms) {
      const at = (c + sent) % urls.length
      const from = performance.now()
      const status = await post(urls[at]!, agents[at]!, key, next(sent++))
      if (status === 200) took.push(performance.now() - from)
      else failed++
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, c) => caller(c)))
  const seconds = (performance.now() - began) / 1000
  for (const agent of agents) agent.destroy()
  took.sort((one, two) => one - two)
  const count = Math.max(1, took.length)
  return {
    rate: took.length / seconds,
    medianMs: took[Math.floor(count / 2)] ?? Number.NaN,
    slowMs: took[Math.floor(count * 0.95)] ?? Number.NaN,
    cpuMs: (cpuOf(pids) - before.memoir) / count,
    databaseCpuMs: (cpuOfTree(databasePid) - before.database) / count,
    failed,
  }
}

function post(url: string, agent: Agent, key: string, { path, body }: Call): Promise<number> {
  return new Promise((resolve) => {
    const text = JSON.stringify(body)
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const call = request(url + path, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode!))
    })
    call.on('error', () => resolve(0))
    call.end(text)
  })
}

// From /proc, in milliseconds; clock ticks are hundredths of a second on every Linux we run on.
export const cpuOf = (pids: number[]): number => pids.reduce((sum, pid) => sum + ticksOf(pid).own * 10, 0)

// A server and its children, those that ended included.
function cpuOfTree(pid: number | undefined): number {
  if (pid === undefined) return 0
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => ticksOf(one).parent === pid)
  return cpuOf([pid, ...children]) + ticksOf(pid).ofEnded * 10
}

function ticksOf(pid: number): { parent: number; own: number; ofEnded: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ofEnded: fields[13]! + fields[14]! }
  } catch {
    return { parent: -1, own: 0, ofEnded: 0 }
  }
}

export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
