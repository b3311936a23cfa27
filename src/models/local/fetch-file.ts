// Writes what an address sends to a file, from where an earlier try broke off.
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { AppError } from '../../domain/errors.ts'
import type { Download } from '../../ports/local-models.ts'
import { limits } from '../limits.ts'

export type FetchedFile = {
  from: number // bytes that an earlier try has brought
  total: number
  sha256: string | null // as the server names it
  save(onProgress: (bytes: number) => void): Promise<void>
  cancel(): Promise<void>
}

// What has to be the same for the rest to fit the beginning.
type Beginning = { url: string; etag: string | null; total: number }

export async function fetchFile(
  download: Download,
  { url, part, signal }: { url: string; part: string; signal: AbortSignal },
): Promise<FetchedFile> {
  const note = part.replace(/\.gguf\.part$/, '.part.json')
  const begun = await beginningOf(part, note, url)
  const opened = await download(url, { ...begun, signal })
  const { total, etag, sha256, parts } = opened
  const cancel = async () => void (await parts.return?.(undefined))
  const refuse = async (code: 'unreachable' | 'too_large', sentence: string) => {
    await cancel()
    throw new AppError(code, sentence)
  }
  if (total === null) return refuse('unreachable', 'The server does not say how large the file is.')
  if (total > limits.modelBytes)
    return refuse('too_large', `The file has ${total} bytes; a model has ${limits.modelBytes} at most.`)
  const from = opened.from === begun.from && total === begun.total ? opened.from : 0
  if (opened.from > 0 && from === 0) {
    await cancel()
    await rm(part, { force: true })
    return fetchFile(download, { url, part, signal })
  }
  return {
    from,
    total,
    sha256,
    async save(onProgress) {
      await writeFile(note, JSON.stringify({ url, etag, total } satisfies Beginning), { mode: 0o600 })
      const file = await open(part, from > 0 ? 'a' : 'w', 0o600)
      let bytes = from
      try {
        for await (const piece of parts) {
          bytes += piece.length
          if (bytes > total) throw new AppError('unreachable', 'The server sends more than it said.')
          await file.appendFile(piece)
          onProgress(bytes)
        }
        await file.sync()
      } finally {
        await file.close()
      }
      if (bytes < total) throw new Error('cut')
      await rm(note, { force: true })
    },
    cancel,
  }
}

async function beginningOf(part: string, note: string, url: string) {
  const none = { from: 0, etag: null, total: 0 }
  const size = await stat(part).then(
    (found) => found.size,
    () => 0,
  )
  const begun = await readFile(note, 'utf8').then(
    (text) => JSON.parse(text) as Beginning,
    () => undefined,
  )
  if (size === 0 || !begun || begun.url !== url || size >= begun.total) return none
  return { from: size, etag: begun.etag, total: begun.total }
}
