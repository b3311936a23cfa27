// Rows as bytes: a line of JSON with the values, then the bytes they speak of, one after the other.
import type { Row } from '../rows.ts'
import { release } from './compress.ts'
import { limits } from './limits.ts'

// Some rows of a table; or, last of all, how many rows each table has.
export type Block = { table: string; rows: Row[] } | { end: Record<string, number> }

// Values are texts, numbers, null and bytes: an object can only stand for bytes.
type Value = string | number | null | { bytes: number }

// Large bytes that SQLite read are given back: they are not to be used again.
export function encode(block: Block): Buffer {
  if ('end' in block) return withLength(block, [])
  const columns = Object.keys(block.rows[0]!)
  const parts: Uint8Array[] = []
  const values = block.rows.map((row) =>
    columns.map((column) => {
      const value = row[column]
      if (!(value instanceof Uint8Array)) return value
      parts.push(value)
      return { bytes: value.length }
    }),
  )
  const bytes = withLength({ table: block.table, columns, rows: values }, parts)
  for (const part of parts)
    if (part.length >= limits.releasedBytes && !Buffer.isBuffer(part)) release(part as Uint8Array<ArrayBuffer>)
  return bytes
}

function withLength(json: object, parts: Uint8Array[]): Buffer {
  const text = Buffer.from(JSON.stringify(json))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, ...parts])
}

// Only what passed its tag comes here: a block that cannot be read was written wrong, and that is a bug.
export function decode(bytes: Buffer): Block {
  let at = 4 + bytes.readUInt32BE()
  const block = JSON.parse(bytes.toString('utf8', 4, at))
  if (block.end) return block
  const { table, columns, rows } = block as { table: string; columns: string[]; rows: Value[][] }
  const unpack = (value: Value) => {
    if (value === null || typeof value !== 'object') return value
    at += value.bytes
    return bytes.subarray(at - value.bytes, at)
  }
  return {
    table,
    rows: rows.map((values) => Object.fromEntries(values.map((value, column) => [columns[column]!, unpack(value)]))),
  }
}

// Rows in blocks of about the size that is compressed together.
export function* split(table: string, rows: Row[]): Generator<Block> {
  let [some, bytes]: [Row[], number] = [[], 0]
  for (const row of rows) {
    some.push(row)
    bytes += sizeOf(row)
    if (bytes < limits.blockBytes) continue
    yield { table, rows: some }
    ;[some, bytes] = [[], 0]
  }
  if (some.length > 0) yield { table, rows: some }
}

function sizeOf(row: Row): number {
  let bytes = 0
  for (const column in row) {
    const value = row[column]
    bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  }
  return bytes
}
