// Runs in a reading thread: one document at a time, its result or its failure as a plain message.

import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../domain/errors.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import { startNesting } from './nested.ts'
import { reportTo } from './progress.ts'
import { read } from './read.ts'

export type Task = { content: Content; progress: MessagePort }
export type Outcome = { extracted: Extracted } | { unreadable: string } | { broken: string }

export default async function work({ content, progress }: Task): Promise<Outcome> {
  progress.postMessage(0)
  reportTo((share) => progress.postMessage(share))
  startNesting()
  try {
    return { extracted: await read(content) }
  } catch (error) {
    if (error instanceof AppError) return { unreadable: error.message }
    return { broken: error instanceof Error ? `${error.stack}` : String(error) }
  } finally {
    reportTo(() => {})
    progress.close()
  }
}
