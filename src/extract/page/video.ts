// Pages that show a video: title, description and chapters; and where its captions are, if the page offers any.

import { AppError } from '../../domain/errors.ts'
import type { Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { isOfType, linkedData, meta, type Page, type Thing } from './facts.ts'

type Video = {
  title: string | null
  author: string | null
  time: string | null
  description: string | null
  chapters: { title: string; offsetMs: number }[]
  transcript: string | null
  captions: string | null
  refusal: string | null // why the site does not show it
}

// Null where the page is no video's. Many articles show one as well: `hasArticle` says that there is enough to read.
export function readVideo(page: Page, html: string, url: string | undefined, hasArticle: boolean): Extracted | null {
  const video = fromPlayer(html) ?? fromMarkup(page, hasArticle)
  if (!video) return null
  const composer = createComposer()
  composer.heading(1, video.title ?? '')
  for (const paragraph of (video.description ?? '').split(/\n{2,}/)) composer.paragraph(paragraph)
  for (const { title, offsetMs } of video.chapters) composer.add('item', `${clock(offsetMs)} ${title}`, { offsetMs })
  for (const paragraph of (video.transcript ?? '').split(/\n{2,}/)) composer.paragraph(paragraph)
  const captions = video.captions && URL.parse(video.captions, url)?.href
  if (composer.length === 0 && !captions)
    throw new AppError(
      'unreadable',
      video.refusal
        ? `The video cannot be read: ${video.refusal}`
        : 'The video page offers neither captions nor a description.',
    )
  return {
    ...composer.finish('video', { title: video.title, author: video.author, time: new Date(video.time ?? Number.NaN) }),
    ...(captions ? { captions } : {}),
  }
}

// What a player is told when the page loads.
function fromPlayer(html: string): Video | null {
  const answer = jsonAfter(html, /ytInitialPlayerResponse\s*=\s*(?=\{)/) as Thing | null
  if (!answer) return null
  const details = answer.videoDetails as Thing | undefined
  const format = at(answer, 'microformat', 'playerMicroformatRenderer') as Thing | undefined
  const status = answer.playabilityStatus as Thing | undefined
  return {
    title: text(details?.title) ?? text(at(format, 'title', 'simpleText')),
    author: text(details?.author) ?? text(format?.ownerChannelName),
    time: text(format?.publishDate) ?? text(format?.uploadDate),
    description: text(details?.shortDescription) ?? text(at(format, 'description', 'simpleText')),
    chapters: chaptersIn(jsonAfter(html, /ytInitialData\s*=\s*(?=\{)/)),
    transcript: null,
    captions: bestTrack(at(answer, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks')),
    refusal: text(status?.status) === 'OK' ? null : (text(status?.reason) ?? null),
  }
}

// A track a person wrote before one a machine did; English before others, as the recogniser of questions reads it best.
function bestTrack(tracks: unknown): string | null {
  if (!Array.isArray(tracks)) return null
  const rank = (track: Thing) =>
    (track.kind === 'asr' ? 2 : 0) + (String(track.languageCode ?? '').startsWith('en') ? 0 : 1)
  const best = (tracks as Thing[]).toSorted((one, two) => rank(one) - rank(two))[0]
  return text(best?.baseUrl)
}

function chaptersIn(value: unknown): Video['chapters'] {
  const chapters: Video['chapters'] = []
  let visited = 0
  const visit = (part: unknown, depth: number): void => {
    if (!part || typeof part !== 'object' || depth > 40 || ++visited > 200_000 || chapters.length > 500) return
    const chapter = (part as Thing).chapterRenderer as Thing | undefined
    if (chapter) {
      const title = text(at(chapter, 'title', 'simpleText'))
      if (title) chapters.push({ title, offsetMs: Number(chapter.timeRangeStartMillis ?? 0) })
    } else for (const inner of Object.values(part)) visit(inner, depth + 1)
  }
  visit(value, 0)
  return chapters
}

// Other sites: schema.org, Open Graph, and the tracks of a video element.
function fromMarkup(page: Page, hasArticle: boolean): Video | null {
  const thing = linkedData(page).find((entry) => isOfType(entry, /^(VideoObject|Movie|TVEpisode)$/))
  const track = page.querySelector(
    'video track[kind="captions"][src], video track[kind="subtitles"][src], video track:not([kind])[src]',
  )
  const isVideo = /^video/.test(meta(page, 'og:type') ?? '')
  if (hasArticle || (!thing && !track && !isVideo)) return null
  const parts = Array.isArray(thing?.hasPart) ? (thing.hasPart as Thing[]) : []
  return {
    title: text(thing?.name) ?? meta(page, 'og:title') ?? page.querySelector('title')?.textContent?.trim() ?? null,
    author: text(at(thing, 'author', 'name')) ?? text(thing?.author) ?? meta(page, 'author'),
    time: text(thing?.uploadDate) ?? text(thing?.datePublished) ?? meta(page, 'video:release_date'),
    description: text(thing?.description) ?? meta(page, 'og:description') ?? meta(page, 'description'),
    chapters: parts.flatMap((part) =>
      text(part.name) ? [{ title: text(part.name)!, offsetMs: Number(part.startOffset ?? 0) * 1_000 }] : [],
    ),
    transcript: text(thing?.transcript),
    captions:
      track?.getAttribute('src') ?? text(at(thing, 'caption', 'contentUrl')) ?? text(at(thing, 'caption', 'url')),
    refusal: null,
  }
}

// The JSON value that begins where the pattern ends.
function jsonAfter(html: string, pattern: RegExp): unknown {
  const found = pattern.exec(html)
  if (!found) return null
  const start = found.index + found[0].length
  let [depth, quoted] = [0, false]
  for (let place = start; place < html.length; place++) {
    const letter = html[place]
    if (quoted) {
      if (letter === '\\') place++
      else if (letter === '"') quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) {
      try {
        return JSON.parse(html.slice(start, place + 1))
      } catch {
        return null
      }
    }
  }
  return null
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (part && typeof part === 'object' ? (part as Thing)[key] : undefined),
    value,
  )
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() ? value.trim() : null
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return seconds >= 3_600 ? `${Math.floor(seconds / 3_600)}:${rest}` : rest
}
