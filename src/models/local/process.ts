// The service's side of a local model's process: starts it when it is needed, ends it when it is too large, does not
// answer, or nobody needs it any more.
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { Unanswered } from '../chat-stream.ts'
import { limits } from '../limits.ts'
import type { Ended, FromProcess, Load, Task, ToProcess } from './messages.ts'

export type Spoken = { delta: string; logprobs: number[] }

export type LlamaProcess = {
  // Throws Unanswered, or what the signal says.
  write(task: Omit<Task, 'id'>, signal: AbortSignal, onText: (spoken: Spoken) => void): Promise<Ended>
  isBusy(): boolean
  close(): void
}

type Waiting = {
  onText(spoken: Spoken): void
  resolve(ended: Ended): void
  reject(error: Error): void
}

// `prepare` throws the sentence that says why it cannot be started.
export function createLlamaProcess(prepare: () => Promise<{ load: Load; memoryBytes: number }>): LlamaProcess {
  const waiting = new Map<number, Waiting>()
  let running: Promise<ChildProcess> | undefined
  let nextId = 1
  let beginning = 0 // those who wait for its start

  const start = async (): Promise<ChildProcess> => {
    const { load, memoryBytes } = await prepare()
    const child = spawn()
    let why = ''
    const end = (reason: string) => {
      why ||= reason
      child.kill('SIGKILL')
    }
    const watch = watchMemory(child, memoryBytes, end)
    child.on('message', (message: FromProcess) => {
      if (message.type === 'not loaded') why = `it could not be loaded: ${firstLine(message.why)}`
      else if (message.type !== 'loaded') hear(message)
    })
    child.on('error', (error) => end(`its process failed: ${error.message}`))
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      running = undefined
      const error = new Unanswered(why || `its process ended (${signal ?? code})`, { mayPass: false })
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
    })
    tell(child, { type: 'load', load })
    return child
  }

  const hear = (message: Exclude<FromProcess, { type: 'loaded' | 'not loaded' }>) => {
    const one = waiting.get(message.id)
    if (message.type === 'text') return one?.onText(message)
    waiting.delete(message.id)
    if (message.type === 'done') one?.resolve(message)
    else one?.reject(new Unanswered(firstLine(message.why), { mayPass: false, isOfMessage: message.isOfMessage }))
  }

  const begin = (): Promise<ChildProcess> => {
    running ??= start().catch((error: unknown) => {
      running = undefined
      throw error instanceof AppError ? new Unanswered(error.message, { mayPass: false }) : error
    })
    return running
  }

  return {
    async write(task, signal, onText) {
      beginning++
      const child = await begin().finally(() => beginning--)
      signal.throwIfAborted()
      const id = nextId++
      return new Promise((resolve, reject) => {
        const leave = () => {
          stop(child, id, waiting)
          reject(signal.reason)
        }
        const settle = () => signal.removeEventListener('abort', leave)
        waiting.set(id, {
          onText,
          resolve(ended) {
            settle()
            resolve(ended)
          },
          reject(error) {
            settle()
            reject(error)
          },
        })
        signal.addEventListener('abort', leave)
        tell(child, { type: 'write', task: { ...task, id } })
      })
    },
    isBusy: () => waiting.size + beginning > 0,
    close() {
      running?.then((child) => child.kill('SIGKILL')).catch(() => {})
    },
  }
}

// Whoever left is not heard any more; a process that does not stop for it is ended.
function stop(child: ChildProcess, id: number, waiting: Map<number, Waiting>): void {
  const late = setTimeout(() => child.kill('SIGKILL'), limits.localStopMs).unref()
  const done = () => clearTimeout(late)
  waiting.set(id, { onText: () => {}, resolve: done, reject: done })
  tell(child, { type: 'stop', id })
}

const tell = (child: ChildProcess, message: ToProcess): void => {
  // One that has just ended is told of by its exit.
  if (child.connected) child.send(message, () => {})
}

// It knows nothing of the service's settings and keys, and gives way to it.
function spawn(): ChildProcess {
  const child = fork(join(import.meta.dirname, './speak.ts'), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: '1' },
    execArgv: [`--max-old-space-size=${limits.localHeapMib}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
  try {
    if (child.pid) setPriority(child.pid, NICE)
  } catch {
    // It may have ended already.
  }
  return child
}

const NICE = 5

// Where the system tells how much memory a process has.
function watchMemory(child: ChildProcess, most: number, end: (why: string) => void): NodeJS.Timeout {
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const kib = Number(/^VmRSS:\s{0,9}(\d{1,15})/m.exec(status)?.[1] ?? 0)
    if (kib * 1024 > most) end(`it took more than ${Math.floor(most / 2 ** 20)} MiB of memory`)
  }
  return setInterval(look, limits.localLookMs).unref()
}

const firstLine = (why: string): string => why.split('\n', 1)[0]!.slice(0, 200).replace(/\.$/, '')
