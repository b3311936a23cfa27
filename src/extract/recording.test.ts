// Recordings are known by their bytes, and without a service that writes them down the owner is told what to do.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Transcript } from '../ports/models.ts'
import { createExtractor } from './extractor.ts'
import { recordingKind } from './recording.ts'

const bytes = (head: string, at = 0) => Buffer.concat([Buffer.alloc(at), Buffer.from(head, 'latin1'), Buffer.alloc(64)])
const wav = bytes('RIFF\x24\0\0\0WAVEfmt ')

test('a recording is known by its first bytes', () => {
  const kinds: [Uint8Array, string | undefined][] = [
    [bytes('ID3\x04'), 'mp3'],
    [bytes('\xff\xfb\x90\x64'), 'mp3'],
    [wav, 'wav'],
    [bytes('OggS\0'), 'ogg'],
    [bytes('fLaC\0'), 'flac'],
    [bytes('\x1aE\xdf\xa3'), 'webm'],
    [bytes('ftypM4A ', 4), 'm4a'],
    [bytes('ftypheic', 4), undefined],
    [bytes('RIFF\x24\0\0\0WEBPVP8 '), undefined],
    [Buffer.from('\ufeffText in UTF-16', 'utf16le'), undefined],
    [Buffer.from('ff'), undefined],
  ]
  for (const [file, extension] of kinds) assert.equal(recordingKind(file)?.extension, extension)
})

const content = { bytes: wav, name: 'talk.bin', mediaType: null }

test('without a transcription endpoint one sentence says what to set', async () => {
  const extractor = createExtractor()
  after(() => extractor.close())
  assert.equal(extractor.isRecording(content), true)
  await assert.rejects(extractor.split(content), {
    code: 'unreadable',
    message: /^It is a recording\. .*_URL and .*_MODEL/,
  })
})

test('each stretch begins with its time, and with who speaks', async () => {
  const said = (seconds: number, text: string, speaker: string | null = null) => ({
    offsetMs: seconds * 1_000,
    endMs: seconds * 1_000 + 2_000,
    speaker,
    text,
  })
  const heard: Transcript = {
    said: [said(0, 'Good'), said(2, 'morning.'), said(751, 'Twelve past.', 'Ada'), said(3_751, 'An hour later.')],
    isTimed: true,
  }
  const asked: string[] = []
  const transcriber = {
    async transcribe({ name, mediaType }: { name: string; mediaType: string }) {
      asked.push(name, mediaType)
      return heard
    },
  }
  const extractor = createExtractor({ transcriber })
  after(() => extractor.close())
  const found = await extractor.extract(content)
  assert.equal(found.kind, 'recording')
  assert.equal(found.text, '[0:00] Good morning.\n[12:31] Ada: Twelve past.\n[1:02:31] An hour later.')
  assert.deepEqual(asked, ['recording.wav', 'audio/wav'])
  const { pieces } = await extractor.split(content)
  assert.equal(pieces[0]!.offsetMs, 0)
  heard.isTimed = false
  assert.match((await extractor.extract(content)).text, /^Good morning\.\nAda: Twelve past\./)
})
