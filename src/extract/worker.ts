// Runs in a reading thread: one document at a time, its result or its failure as a plain message.

import { type MessagePort, threadId } from 'node:worker_threads'
import { AppError } from '../domain/errors.ts'
import type { Content, Extracted, Split } from '../ports/extractor.ts'
import type { Listing } from '../ports/listing.ts'
import { readListing } from './listing/listing.ts'
import { startNesting } from './nested.ts'
import { recogniseIn } from './ocr.ts'
import { reportTo } from './progress.ts'
import { read } from './read.ts'
import { splitOf } from './split.ts'

export type Task = {
  content: Content
  wants: 'blocks' | 'pieces' | 'listing'
  languages: string[]
  progress: MessagePort
}
// Which thread it is that reads, and how far it is.
export type Sign = { thread: number; share: number }
export type Outcome = { done: Extracted | Split | Listing } | { unreadable: string } | { broken: string }

export default async function work({ content, wants, languages, progress }: Task): Promise<Outcome> {
  const sign = (share: number) => progress.postMessage({ thread: threadId, share } satisfies Sign)
  sign(0)
  reportTo(sign)
  startNesting(read)
  recogniseIn(languages)
  try {
    if (wants === 'listing') return { done: readListing(content) }
    const extracted = await read(content)
    return { done: wants === 'pieces' ? splitOf(extracted) : extracted }
  } catch (error) {
    if (error instanceof AppError) return { unreadable: error.message }
    return { broken: error instanceof Error ? `${error.stack}` : String(error) }
  } finally {
    reportTo(() => {})
    progress.close()
  }
}
