// Reads what is behind a URL: the page or file itself and, for a video, the captions its page offers.

import { AppError } from '../domain/errors.ts'
import type { Content, Extracted, Extractor, Fetcher } from '../ports/extractor.ts'

export type ReadUrl = {
  extracted: Extracted
  content: Content & { url: string } // as fetched, after all redirects
  bytesSuffice: boolean // reading the content again gives the same text; false once captions were joined to it
}

type Needs = { fetcher: Fetcher; extractor: Extractor }
type Options = { signal?: AbortSignal }

// Throws AppError('unreachable') or AppError('unreadable'), each with its sentence.
export async function readUrl(needs: Needs, address: string, options: Options = {}): Promise<ReadUrl> {
  const content = await needs.fetcher.fetch(address, options)
  // What takes minutes is read when it is learned.
  if (needs.extractor.isRecording(content)) return { extracted: unread, content, bytesSuffice: true }
  const page = await needs.extractor.extract(content, options)
  const captions = page.captions ? await readCaptions(needs, page.captions, options) : null
  const extracted = captions ? joined(page, captions) : page
  if (!extracted.text.trim())
    throw new AppError('unreadable', 'The video page offers captions, but they cannot be read.')
  return { extracted, content, bytesSuffice: captions === null }
}

const unread: Extracted = { kind: 'recording', title: null, author: null, time: null, text: '', blocks: [] }

// A site may refuse its captions: what the page itself says still counts.
async function readCaptions(
  { fetcher, extractor }: Needs,
  address: string,
  options: Options,
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
