// The service as a process of its own, as operators run it: to be killed, and to be found again.
import { type ChildProcess, spawn } from 'node:child_process'
import { fewArenas } from '../src/cli/few-arenas.ts'

export type Launched = { url: string; child: ChildProcess }

export class NeverStarted extends Error {}

// A test that fails or is cut off half-way leaves none of them behind, which would keep the whole run waiting.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const START_MS = 120_000

// Resolves with its address when it listens; fails when it ends before that, or does neither.
export function launch(
  env: Record<string, string>,
  log: 'inherit' | 'ignore' | 'pipe' = 'inherit',
  { nodeOptions = [], descriptors }: { nodeOptions?: string[]; descriptors?: number } = {},
): Promise<Launched> {
  const command = [process.execPath, ...nodeOptions, 'src/cli/main.ts', 'serve']
  const [program, ...given] = descriptors
    ? ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command]
    : command
  // Spoken to over a channel, it does not begin again to set this for itself.
  const isSpokenTo = nodeOptions.length > 0
  const own = { MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', MEMOIR_GUIDE: '0', ...(isSpokenTo && fewArenas) }
  const child = spawn(program!, given, {
    env: { ...process.env, ...own, ...env },
    stdio: ['ignore', 'pipe', log, ...(isSpokenTo ? (['ipc'] as const) : [])],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return new Promise((resolve, reject) => {
    let said = ''
    const late = setTimeout(() => {
      reject(new NeverStarted(`the service neither started nor ended within ${START_MS / 1000} s: ${said}`))
      child.kill('SIGKILL')
    }, START_MS)
    child.stdout!.on('data', (chunk) => {
      said += chunk
      const url = /interface\s+(http:\S+)\/v1/.exec(said)?.[1]
      if (!url) return
      clearTimeout(late)
      resolve({ url, child })
    })
    child.once('exit', () => {
      clearTimeout(late)
      reject(new Error(`the service did not start: ${said}`))
    })
  })
}

export async function kill({ child }: Launched, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}
