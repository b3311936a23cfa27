// A text file line by line, however large it is.

import { byteOrderMark } from '../encoding.ts'
import { limits } from '../limits.ts'
import type { SourceFile } from './source.ts'

// Without what ends them; a line that is too long is cut.
export async function* linesOf(file: SourceFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(byteOrderMark(await file.head()) ?? 'utf-8')
  let rest = ''
  for await (const piece of file.pieces()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!.slice(0, limits.collectionLineCharacters)
    for (const line of lines) yield withoutReturn(line)
  }
  const last = rest + decoder.decode()
  if (last) yield withoutReturn(last)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
