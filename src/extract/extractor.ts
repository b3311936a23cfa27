// Reads documents in threads of their own, each with limits on memory and time: a parser that dies or hangs costs one document.

import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { AppError } from '../domain/errors.ts'
import { limits } from '../domain/limits.ts'
import type { Content, Extracted, Extractor } from '../ports/extractor.ts'
import { read } from './read.ts'
import type { Outcome, Task } from './worker.ts'

export type ExtractorOptions = {
  threads?: number
  memoryMib?: number
  silenceMs?: number
  timeoutMs?: number
  // Told what a parser stumbled over: the owner reads a sentence, the log gets the rest.
  onBroken?: (stack: string, content: Content) => void
}

export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const silenceMs = options.silenceMs ?? limits.extractSilenceMs
  const timeoutMs = options.timeoutMs ?? limits.extractTimeoutMs
  const pool = new Piscina<Task, Outcome>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: options.threads ?? limits.extractThreads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMib ?? limits.extractMemoryMib, stackSizeMb: 8 },
    recordTiming: false,
  })

  return {
    async extract(content, { signal, onProgress } = {}): Promise<Extracted> {
      // A note that is known to be text is sooner read than handed over.
      if (content.kind === 'text' && content.bytes.length <= limits.extractHereBytes) return read(content)
      const { port1, port2 } = new MessageChannel()
      const stop = new AbortController()
      let overall: NodeJS.Timeout | undefined
      let silence: NodeJS.Timeout | undefined
      // The clocks start with the first message: waiting for a free thread is nobody's fault.
      port1.on('message', (share: number) => {
        overall ??= setTimeout(() => stop.abort(), timeoutMs)
        clearTimeout(silence)
        silence = setTimeout(() => stop.abort(), silenceMs)
        onProgress?.(share)
      })
      const cancel = () => stop.abort()
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        signal?.throwIfAborted()
        const outcome = await pool.run({ content, progress: port2 }, { transferList: [port2], signal: stop.signal })
        if ('extracted' in outcome) return outcome.extracted
        if ('broken' in outcome) options.onBroken?.(outcome.broken, content)
        throw new AppError('unreadable', 'unreadable' in outcome ? outcome.unreadable : broken)
      } catch (error) {
        throw asFailure(error, signal)
      } finally {
        clearTimeout(overall)
        clearTimeout(silence)
        signal?.removeEventListener('abort', cancel)
        port1.close()
      }
    },
    close: () => pool.close({ force: true }),
  }
}

const broken = 'The file is damaged, or not what it seems to be: it cannot be read.'

function asFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof AppError) return error
  if (signal?.aborted) return new AppError('unreadable', 'Reading was stopped before it was done.', { cause: error })
  const name = (error as Error | undefined)?.name
  if (name === 'AbortError') return new AppError('unreadable', 'Reading the file took too long.', { cause: error })
  if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new AppError('unreadable', 'Reading the file takes more memory than a document may have.', { cause: error })
  return new AppError('unreadable', broken, { cause: error })
}
