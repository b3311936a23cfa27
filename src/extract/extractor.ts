// Reads documents in threads of their own, each with limits on memory and time: a parser that dies or hangs costs one document.

import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { AppError } from '../domain/errors.ts'
import type { Content, Extracted, Extractor, ReadingOptions, Split } from '../ports/extractor.ts'
import type { Listing } from '../ports/listing.ts'
import type { Transcriber } from '../ports/models.ts'
import { limits } from './limits.ts'
import { watchMemory } from './memory.ts'
import { read } from './read.ts'
import { type RecordingKind, recordingKind, transcriptContent } from './recording.ts'
import { splitOf } from './split.ts'
import type { Outcome, Sign, Task } from './worker.ts'

export type ExtractorOptions = {
  threads?: number
  memoryMib?: number
  silenceMs?: number
  timeoutMs?: number
  ocrLanguages?: string[]
  transcriber?: Transcriber | undefined // without one, recordings cannot be read
  // Told what a parser stumbled over: the owner reads a sentence, the log gets the rest.
  onBroken?: (stack: string, content: Content) => void
}

export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const memoryMib = options.memoryMib ?? limits.extractMemoryMib
  const clocks = {
    silenceMs: options.silenceMs ?? limits.extractSilenceMs,
    timeoutMs: options.timeoutMs ?? limits.extractTimeoutMs,
  }
  const pool = new Piscina<Task, Outcome>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: options.threads ?? limits.extractThreads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: memoryMib, stackSizeMb: 8 },
    recordTiming: false,
  })

  async function readInThread(content: Content, wants: Task['wants'], { signal, onProgress }: ReadingOptions) {
    const { port1, port2 } = new MessageChannel()
    const stop = new AbortController()
    const watched = watchReading(stop, clocks)
    let memory: NodeJS.Timeout | undefined
    // The clocks start with the first message: waiting for a free thread is nobody's fault.
    port1.on('message', ({ thread, share }: Sign) => {
      const worker = pool.threads.find(({ threadId }) => threadId === thread)
      if (worker) memory ??= watchMemory(worker, memoryMib, () => stop.abort(tooMuchMemory()))
      watched.seen()
      onProgress?.(share)
    })
    const cancel = () => stop.abort()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      signal?.throwIfAborted()
      const outcome = await pool.run(
        { content, wants, languages: options.ocrLanguages ?? ['eng'], progress: port2 },
        { transferList: [port2], signal: stop.signal },
      )
      if ('done' in outcome) return outcome.done
      if ('broken' in outcome) options.onBroken?.(outcome.broken, content)
      throw new AppError('unreadable', 'unreadable' in outcome ? outcome.unreadable : BROKEN)
    } catch (error) {
      throw asFailure(stop.signal.reason instanceof AppError ? stop.signal.reason : error, signal)
    } finally {
      clearInterval(memory)
      watched.end()
      signal?.removeEventListener('abort', cancel)
      port1.close()
    }
  }

  // Written down by another service, which takes none of the threads; then read like any text.
  async function hear(content: Content, kind: RecordingKind, { signal }: ReadingOptions): Promise<Content> {
    if (!options.transcriber) throw new AppError('unreadable', UNHEARD)
    const recording = { bytes: content.bytes, name: `recording.${kind.extension}`, mediaType: kind.mediaType }
    return transcriptContent(await options.transcriber.transcribe(recording, { signal }))
  }

  async function readAny(content: Content, wants: Task['wants'], options: ReadingOptions) {
    const kind = content.kind ? null : recordingKind(content.bytes)
    return readInThread(kind ? await hear(content, kind, options) : content, wants, options)
  }

  // A note that is known to be text is sooner read than handed over.
  const isNote = ({ kind, bytes }: Content) => kind === 'text' && bytes.length <= limits.extractHereBytes
  return {
    extract: async (content, options = {}) =>
      isNote(content) ? read(content) : ((await readAny(content, 'blocks', options)) as Extracted),
    split: async (content, options = {}) =>
      isNote(content) ? splitOf(await read(content)) : ((await readAny(content, 'pieces', options)) as Split),
    isRecording: ({ bytes }) => recordingKind(bytes) !== null,
    list: async (content, options = {}) => (await readInThread(content, 'listing', options)) as Listing,
    close: () => pool.close({ force: true }),
  }
}

// Two clocks: one for the whole, one for the time without a sign of life.
export function watchReading(
  stop: AbortController,
  { silenceMs, timeoutMs }: { silenceMs: number; timeoutMs: number },
) {
  let overall: NodeJS.Timeout | undefined
  let silence: NodeJS.Timeout | undefined
  return {
    seen() {
      overall ??= setTimeout(() => stop.abort(), timeoutMs)
      clearTimeout(silence)
      silence = setTimeout(() => stop.abort(), silenceMs)
    },
    // While it waits for somebody else.
    pause() {
      clearTimeout(silence)
    },
    end() {
      clearTimeout(overall)
      clearTimeout(silence)
    },
  }
}

const UNHEARD =
  'It is a recording. To have it written down, set MEMOIR_TRANSCRIPTION_URL and MEMOIR_TRANSCRIPTION_MODEL to an ' +
  'OpenAI-compatible transcription endpoint, start again, and retry it.'

export const BROKEN = 'The file is damaged, or not what it seems to be: it cannot be read.'

export const tooMuchMemory = (cause?: unknown): AppError =>
  new AppError('unreadable', 'Reading the file takes more memory than a document may have.', { cause })

export function asFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof AppError) return error
  if (signal?.aborted) return new AppError('unreadable', 'Reading was stopped before it was done.', { cause: error })
  const name = (error as Error | undefined)?.name
  if (name === 'AbortError') return new AppError('unreadable', 'Reading the file took too long.', { cause: error })
  if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuchMemory(error)
  return new AppError('unreadable', BROKEN, { cause: error })
}
