// SRT, WebVTT and the caption formats of video sites: who says what, and when in the recording.

import type { Content, Extracted } from '../../ports/extractor.ts'
import type { Said } from '../../ports/models.ts'
import { createComposer, tidy } from '../composer.ts'
import { charsetOf, decodeText } from '../encoding.ts'

export type Cue = Said

export function readSubtitles({ bytes, mediaType }: Content): Extracted {
  return fromCues(cuesIn(decodeText(bytes, charsetOf(mediaType))))
}

export function fromCues(cues: Cue[]): Extracted {
  const composer = createComposer()
  for (const said of turnsOf(cues))
    composer.add('turn', said.speaker ? `${said.speaker}: ${said.text}` : said.text, {
      offsetMs: said.offsetMs,
      ...(said.speaker ? { speaker: said.speaker } : {}),
    })
  return composer.finish('subtitles')
}

// Cues are broken to fit a screen; sentences are put together again, up to a pause, a new speaker or a full turn.
export function* turnsOf(cues: Cue[]): Iterable<Cue> {
  let turn: Cue | undefined
  for (const cue of cues) {
    const goesOn = turn && (cue.speaker === turn.speaker || cue.speaker === null) && cue.offsetMs - turn.endMs < 3_000
    const ended = turn && /[.!?…]["'”’)]?$/.test(turn.text) && turn.text.length > 200
    if (turn && goesOn && !ended && turn.text.length < 800)
      turn = { ...turn, endMs: cue.endMs, text: joined(turn.text, cue.text) }
    else {
      if (turn) yield turn
      turn = cue
    }
  }
  if (turn) yield turn
}

const clock = /(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/
const timing = new RegExp(`^\\s*${clock.source}\\s*-->\\s*${clock.source}`)

export function looksLikeSubtitles(text: string): boolean {
  return /^\ufeff?WEBVTT(?:\s|$)/.test(text) || text.split('\n', 8).some((line) => timing.test(line))
}

export function cuesIn(text: string): Cue[] {
  const cues: Cue[] = []
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => timing.test(line))
    if (at < 0) continue
    const found = timing.exec(lines[at]!)!
    const said = speakerOf(lines.slice(at + 1).join('\n'))
    if (said.text) cues.push({ offsetMs: milliseconds(found, 1), endMs: milliseconds(found, 5), ...said })
  }
  return withoutRolling(cues)
}

function milliseconds(found: RegExpExecArray, at: number): number {
  const [hours, minutes, seconds, rest] = found.slice(at, at + 4)
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(rest!.padEnd(3, '0'))
}

// "<v Ada>words", "ADA: words", "- words"; tags and styles go.
export function speakerOf(raw: string): { speaker: string | null; text: string } {
  const voice = /<v(?:\.[^\s<>]{0,80})?\s([^<>]{1,80})>/.exec(raw)?.[1]?.trim() ?? null
  const text = tidy(
    raw
      .replace(/<[^>]{0,200}>|\{\\[^}]{0,200}\}/g, '')
      .replace(/&amp;/g, '&')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&(?:nbsp|#160);/g, ' ')
      .replace(/&(?:quot|#34);/g, '"')
      .replace(/&(?:apos|#39);/g, "'"),
  )
    .replace(/\n/g, ' ')
    .replace(/^[-–—]\s*|^>>\s*/, '')
  const named = /^(?:\[?([\p{Lu}][\p{L}\p{N} .'’-]{0,39})\]?):\s+(?=\S)/u.exec(text)
  if (voice || !named) return { speaker: voice, text }
  return { speaker: named[1]!.trim(), text: text.slice(named[0].length) }
}

// Live captions show the last line again above the new one: what was said is said once.
function withoutRolling(cues: Cue[]): Cue[] {
  const kept: Cue[] = []
  for (const cue of cues) {
    const last = kept.at(-1)
    if (last && cue.text === last.text) last.endMs = cue.endMs
    else if (last && cue.text.startsWith(`${last.text} `) && last.text.length > 8)
      kept.push({ ...cue, text: cue.text.slice(last.text.length + 1) })
    else kept.push({ ...cue })
  }
  return kept
}

function joined(one: string, two: string): string {
  return `${one} ${two}`
}
