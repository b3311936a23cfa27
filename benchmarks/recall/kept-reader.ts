// The shipped reader with its readings kept between runs: a passage is read the same every time, and slowly.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reading } from '../../src/domain/memory.ts'
import { createReader } from '../../src/models/reader.ts'
import type { Reader } from '../../src/ports/models.ts'

const SUMS = new URL('../../weights/reader/SHA256SUMS', import.meta.url)

export function createKeptReader(set: string): Reader {
  const folder = join(tmpdir(), 'memoir-bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${set}-${readFileSync(SUMS, 'utf8').slice(0, 12)}.readings`)
  const reader = createReader()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const kept = new Map<string, Reading>(lines.filter((line) => line.endsWith('}]')).map((line) => JSON.parse(line)))
  return {
    ...reader,
    async read(question, passages) {
      const keyOf = (passage: string) => createHash('md5').update(`${question}\0${passage}`).digest('base64')
      const missing = passages.filter((passage) => !kept.has(keyOf(passage)))
      const readings = missing.length === 0 ? [] : await reader.read(question, missing)
      for (const [at, passage] of missing.entries()) kept.set(keyOf(passage), readings[at]!)
      if (missing.length > 0)
        appendFileSync(file, missing.map((one, at) => `${JSON.stringify([keyOf(one), readings[at]])}\n`).join(''))
      return passages.map((passage) => kept.get(keyOf(passage))!)
    },
  }
}
