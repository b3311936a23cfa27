// The processes that this one has started, as the system lists them.
import { readdirSync, readFileSync } from 'node:fs'

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}

export const childrenNamed = (script: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes(script))
    .filter((pid) => new RegExp(`^PPid:\\s${process.pid}$`, 'm').test(read(`/proc/${pid}/status`)))
    .map(Number)

export function killChild(script: string): void {
  const [pid] = childrenNamed(script)
  if (pid === undefined) throw new Error(`no process runs ${script}`)
  process.kill(pid, 'SIGKILL')
}
