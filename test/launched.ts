// The service as a process of its own, as operators run it: to be killed, and to be found again.
import { type ChildProcess, spawn } from 'node:child_process'

export type Launched = { url: string; child: ChildProcess }

// Resolves with its address when it listens; fails when it ends before that.
export function launch(
  env: Record<string, string>,
  log: 'inherit' | 'ignore' = 'inherit',
  { nodeOptions = [], descriptors }: { nodeOptions?: string[]; descriptors?: number } = {},
): Promise<Launched> {
  const command = [process.execPath, ...nodeOptions, 'src/cli/main.ts', 'serve']
  const [program, ...given] = descriptors
    ? ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command]
    : command
  const child = spawn(program!, given, {
    env: { ...process.env, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent', ...env },
    stdio: ['ignore', 'pipe', log, ...(nodeOptions.length > 0 ? (['ipc'] as const) : [])],
  })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.on('data', (chunk) => {
      said += chunk
      const url = /interface\s+(http:\S+)\/v1/.exec(said)?.[1]
      if (url) resolve({ url, child })
    })
    child.once('exit', () => reject(new Error(`the service did not start: ${said}`)))
  })
}

export async function kill({ child }: Launched, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}
