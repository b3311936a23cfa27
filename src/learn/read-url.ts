// Reads what is behind a URL: the page or file itself and, for a video, the captions its page offers.

import { AppError } from '../domain/errors.ts'
import type { Extracted, Extractor, Fetcher } from '../ports/extractor.ts'

export type ReadUrl = Extracted & { url: string }

// Throws AppError('unreachable') or AppError('unreadable'), each with its sentence.
export async function readUrl(
  { fetcher, extractor }: { fetcher: Fetcher; extractor: Extractor },
  address: string,
  options: { signal?: AbortSignal } = {},
): Promise<ReadUrl> {
  const content = await fetcher.fetch(address, options)
  const page = await extractor.extract(content, options)
  const captions = page.captions ? await readCaptions({ fetcher, extractor }, page.captions, options) : null
  const whole = captions ? joined(page, captions) : page
  if (!whole.text.trim()) throw new AppError('unreadable', 'The video page offers captions, but they cannot be read.')
  return { ...whole, url: content.url }
}

// A site may refuse its captions: what the page itself says still counts.
async function readCaptions(
  { fetcher, extractor }: { fetcher: Fetcher; extractor: Extractor },
  address: string,
  options: { signal?: AbortSignal },
): Promise<Extracted | null> {
  try {
    return await extractor.extract(await fetcher.fetch(address, options), options)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function joined(page: Extracted, captions: Extracted): Extracted {
  const before = page.text ? `${page.text}\n\n` : ''
  const moved = captions.blocks.map((block) => ({
    ...block,
    start: block.start + before.length,
    end: block.end + before.length,
  }))
  return { ...page, text: before + captions.text, blocks: [...page.blocks, ...moved] }
}
