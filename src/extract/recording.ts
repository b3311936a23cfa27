// Recordings of speech: known by their first bytes, and written down with the time of each stretch in front of it.

import type { Content, Extracted } from '../ports/extractor.ts'
import type { Said, Transcript } from '../ports/models.ts'
import { createComposer } from './composer.ts'
import { turnsOf } from './plain/subtitles.ts'

export type RecordingKind = { extension: string; mediaType: string }

// What a transcription service has to be told about a file, which goes by its name's ending. Null: it is no recording.
export function recordingKind(bytes: Uint8Array): RecordingKind | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16))
  const text = head.toString('latin1')
  if (text.startsWith('ID3') || isFrame(head)) return { extension: 'mp3', mediaType: 'audio/mpeg' }
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return { extension: 'wav', mediaType: 'audio/wav' }
  if (text.startsWith('OggS')) return { extension: 'ogg', mediaType: 'audio/ogg' }
  if (text.startsWith('fLaC')) return { extension: 'flac', mediaType: 'audio/flac' }
  if (text.startsWith('\x1aE\xdf\xa3')) return { extension: 'webm', mediaType: 'audio/webm' }
  // The same box opens films, recordings and pictures.
  if (text.startsWith('ftyp', 4) && !/^(?:heic|heix|hevc|mif1|msf1|avif|avis|jxl |crx )/.test(text.slice(8, 12)))
    return { extension: 'm4a', mediaType: 'audio/mp4' }
  return null
}

// The head of an MPEG frame of layer II or III: four bytes whose fields must all be possible.
function isFrame(head: Buffer): boolean {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return false
  const [version, layer] = [(head[1]! >> 3) & 3, (head[1]! >> 1) & 3]
  const [rate, frequency] = [head[2]! >> 4, (head[2]! >> 2) & 3]
  return version !== 1 && (layer === 1 || layer === 2) && rate !== 0 && rate !== 15 && frequency !== 3
}

// What a transcription service answered, handed to a reading thread as bytes.
export const transcriptContent = (transcript: Transcript): Content => ({
  bytes: Buffer.from(JSON.stringify(transcript)),
  name: null,
  mediaType: null,
  kind: 'transcript',
})

export function readTranscript({ bytes }: Content): Extracted {
  const { said, isTimed } = JSON.parse(Buffer.from(bytes).toString()) as Transcript
  const composer = createComposer()
  for (const turn of turnsOf(said)) {
    const words = turn.speaker ? `${turn.speaker}: ${turn.text}` : turn.text
    composer.add('turn', isTimed ? `[${clockOf(turn)}] ${words}` : words, {
      ...(isTimed && { offsetMs: turn.offsetMs }),
      ...(turn.speaker && { speaker: turn.speaker }),
    })
  }
  return composer.finish('recording')
}

// 12:31, and 1:02:31 after the first hour.
function clockOf({ offsetMs }: Said): string {
  const seconds = Math.floor(offsetMs / 1_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
