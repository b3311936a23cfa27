// The one form in which chats of every program are kept: a line for each turn, with its minute and its speaker, so that
// who said what and when can be read from the text alone.

import type { Block } from '../../ports/extractor.ts'
import type { Line } from './lines.ts'

export type Turn = { speaker: string; time: Date; text: string }

const SPEAKER_CHARACTERS = 60

// "[2024-05-03 14:22] Ana: I moved to Lisbon." Further lines of a turn that look like the head of one are set in.
export function writeTurn({ speaker, time, text }: Turn): string {
  const [first = '', ...others] = text.split('\n')
  const lines = [first, ...others.map((line) => (line.startsWith('[') ? ` ${line}` : line))]
  return `[${time.toISOString().slice(0, 16).replace('T', ' ')}] ${speakerName(speaker)}: ${lines.join('\n')}`
}

export function speakerName(name: string): string {
  const plain = name
    .replace(/[:\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, SPEAKER_CHARACTERS)
    .trim()
  return plain || 'Somebody'
}

const head = /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d)\] ([^:\n]{1,60}): /

// Null where the text is not in that form. Each turn is remembered for itself, beginning with its speaker.
export function chatTurns(text: string, lines: Line[]): Block[] | null {
  const first = lines.find((line) => line.end > line.start)
  if (!first || !head.test(text.slice(first.start, first.start + HEAD_CHARACTERS))) return null
  const blocks: Block[] = []
  for (const line of lines) {
    const end = line.start + text.slice(line.start, line.end).trimEnd().length
    if (end === line.start) continue
    const found = head.exec(text.slice(line.start, Math.min(line.end, line.start + HEAD_CHARACTERS)))
    const time = found && new Date(`${found[1]}T${found[2]}:00Z`)
    const last = blocks.at(-1)
    const isTurn = found && !Number.isNaN(time!.getTime())
    if (!isTurn && !last) return null
    if (!isTurn) last!.end = end
    else
      blocks.push({
        kind: 'turn',
        start: line.start + STAMP_CHARACTERS,
        end,
        speaker: found[3]!,
        time: time!,
        isMemory: true,
      })
  }
  return blocks
}

const STAMP_CHARACTERS = '[2024-05-03 14:22] '.length
const HEAD_CHARACTERS = STAMP_CHARACTERS + SPEAKER_CHARACTERS + 2
