// Conversations kept as plain text: who said what, and when.

import type { Block } from '../../ports/extractor.ts'
import type { Line } from './lines.ts'

// "Name: words", with a stamp of date and time before it or not, as chat programs and transcripts write it.
const stamped =
  /^\s*\[?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?)\]?\s*(?:[-–]\s*)?([^:\n]{1,60}):\s/u
const named = /^\s*([\p{L}][\p{L}\p{N} .'’_-]{0,39}):\s+\S/u

// Null where the text is no conversation: most lines must begin a turn, and few speakers must share many turns.
export function findTurns(text: string, lines: Line[]): Block[] | null {
  const heads = lines.map((line) => headOf(text.slice(line.start, Math.min(line.end, line.start + 160))))
  const filled = lines.filter((line) => line.end > line.start && text.slice(line.start, line.end).trim()).length
  const begun = heads.filter((head) => head !== null)
  const speakers = new Set(begun.map((head) => head.speaker))
  const isStamped = begun.length > 0 && begun.every((head) => head.time !== null)
  const share = begun.length / Math.max(1, filled)
  if (begun.length < 4 || share < (isStamped ? 0.3 : 0.6) || speakers.size < 2 || speakers.size > begun.length / 2)
    return null

  const blocks: Block[] = []
  for (const [index, line] of lines.entries()) {
    const words = text.slice(line.start, line.end).trim()
    if (!words) continue
    const end = line.start + text.slice(line.start, line.end).trimEnd().length
    const start = line.end - text.slice(line.start, line.end).trimStart().length
    const head = heads[index]
    const last = blocks.at(-1)
    if (head)
      blocks.push({ kind: 'turn', start, end, speaker: head.speaker, ...(head.time ? { time: head.time } : {}) })
    else if (last) last.end = end
    else blocks.push({ kind: 'paragraph', start, end })
  }
  return blocks
}

function headOf(line: string): { speaker: string; time: Date | null } | null {
  const withStamp = stamped.exec(line)
  if (withStamp) return { speaker: withStamp[2]!.trim(), time: parseStamp(withStamp[1]!) }
  const withName = named.exec(line)
  return withName ? { speaker: withName[1]!.trim(), time: null } : null
}

// Year first is certain; otherwise a number above twelve tells day from month, and the day is taken to come first.
function parseStamp(stamp: string): Date | null {
  const found = /(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AaPp]))?/.exec(stamp)
  if (!found) return null
  const [first, second, third] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const yearFirst = found[1]!.length === 4
  const year = yearFirst ? first : third < 100 ? 2000 + third : third
  const monthFirst = !yearFirst && second > 12
  const month = yearFirst ? second : monthFirst ? first : second
  const day = yearFirst ? third : monthFirst ? second : first
  const half = found[7]?.toLowerCase()
  const hour = (Number(found[4]) % (half ? 12 : 24)) + (half === 'p' ? 12 : 0)
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  return new Date(Date.UTC(year, month - 1, day, hour, Number(found[5]), Number(found[6] ?? 0)))
}
