// PowerPoint before 2007: a tree of records; the text of slides, their notes and comments.

import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { limits } from '../limits.ts'
import { openCompound } from './compound.ts'
import { describeCompound } from './summary.ts'

const record = {
  slide: 1006,
  notes: 1008,
  persist: 1011,
  master: 1016,
  header: 3999,
  wideText: 4000,
  narrowText: 4008,
  string: 4026,
  headersFooters: 4057,
  list: 4080,
  comment: 12000,
}

type State = { composer: Composer; page: number; isTitle: boolean; seen: Set<string> }

export function readPpt({ bytes }: Content): Extracted {
  const compound = openCompound(bytes)
  const stream = compound.read('PowerPoint Document')
  if (!stream) throw new AppError('unreadable', 'The presentation is damaged and cannot be read.')
  const composer = createComposer()
  walk(stream, { composer, page: 0, isTitle: false, seen: new Set() }, 0, '')
  return composer.finish('ppt', describeCompound(compound))
}

function walk(bytes: Buffer, state: State, depth: number, within: string): void {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const head = bytes.readUInt16LE(at)
    const type = bytes.readUInt16LE(at + 2)
    const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4))
    at += 8 + bytes.readUInt32LE(at + 4)
    if (type === record.master) continue
    if ((head & 15) === 15 && depth < 64) {
      // The list of masters' texts holds only "Click to edit".
      if (type === record.list && head >> 4 === 1) continue
      if (type === record.list) state.page = 0
      if (type === record.slide) state.composer.startPage(undefined)
      walk(
        body,
        state,
        depth + 1,
        type === record.headersFooters ? 'margin' : type === record.comment ? 'comment' : within,
      )
    } else if (type === record.persist) state.composer.startPage(++state.page)
    else if (type === record.header && body.length >= 4) state.isTitle = [0, 6].includes(body.readUInt32LE(0))
    else if (type === record.wideText) write(state, body.toString('utf16le'))
    else if (type === record.narrowText) write(state, body.toString('latin1'))
    else if (type === record.string && within) write({ ...state, isTitle: false }, body.toString('utf16le'))
  }
}

// Saving again leaves older states of a slide in the file: the same text is written once.
function write(state: State, text: string): void {
  const clean = text.replace(/\x0b/g, '\n')
  if (clean.length > 40 && state.seen.has(clean)) return
  if (clean.length > 40 && state.seen.size < limits.archiveEntries) state.seen.add(clean)
  const paragraphs = clean.split('\r').filter((paragraph) => paragraph.trim() && paragraph.trim() !== '*')
  if (state.isTitle) state.composer.heading(1, paragraphs.join(' '))
  else
    for (const paragraph of paragraphs)
      paragraphs.length > 1 ? state.composer.item(paragraph) : state.composer.paragraph(paragraph)
  state.isTitle = false
}
