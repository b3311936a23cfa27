// Runs a backup or an export in its thread, and gives out what the thread makes as it is asked for.
import { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../domain/errors.ts'
import type { ExportJob } from './export.ts'

export type Place = { path: string; ownerKey?: Uint8Array | undefined } | { url: string }
export type Job = { place: Place } & ({ backup: { passphrase: string | undefined } } | { persona: ExportJob })
export type FromThread =
  | { part: Uint8Array }
  | { end: true }
  | { failed: { code: ErrorCode | undefined; message: string; stack: string | undefined } }

export async function* runThread(job: Job): AsyncGenerator<Uint8Array> {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: job })
  const arrived: FromThread[] = []
  let wake = () => {}
  const arrive = (message: FromThread) => {
    arrived.push(message)
    wake()
  }
  const fail = (error: Error) => arrive({ failed: { code: undefined, message: error.message, stack: error.stack } })
  thread.on('message', arrive).on('error', fail)
  thread.on('exit', () => fail(new Error('the thread that reads the store ended')))
  try {
    for (;;) {
      const next = arrived.shift()
      if (!next)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      else if ('failed' in next) throw errorOf(next.failed)
      else if ('end' in next) return
      else {
        yield next.part
        thread.postMessage('taken')
      }
    }
  } finally {
    await thread.terminate()
  }
}

function errorOf({ code, message, stack }: Extract<FromThread, { failed: object }>['failed']): Error {
  if (code) return new AppError(code, message)
  return Object.assign(new Error(message), { stack })
}
