// Reads what a GGUF file says of itself: whether it is one, and the numbers that its need of memory depends on.
import { open } from 'node:fs/promises'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

export type GgufFacts = {
  bytes: number
  architecture: string
  contextTokens: number // that it was trained for
  memoryPerToken: number // bytes of the context that one token takes
}

export async function readGguf(path: string, name: string): Promise<GgufFacts> {
  const file = await open(path, 'r')
  try {
    const { size: bytes } = await file.stat()
    const head = Buffer.alloc(Math.min(bytes, limits.ggufHeadBytes))
    await file.read(head, 0, head.length, 0)
    return { bytes, ...factsOf(valuesIn(head, name), name) }
  } finally {
    await file.close()
  }
}

type Values = Map<string, number | string>

function factsOf(values: Values, name: string): Omit<GgufFacts, 'bytes'> {
  const architecture = values.get('general.architecture')
  if (typeof architecture !== 'string') throw notGguf(name)
  if (Number(values.get('split.count') ?? 1) > 1)
    throw new AppError('invalid', `${name} is one part of several: join them with llama-gguf-split first.`)
  const number = (key: string, fallback: number) => {
    const value = values.get(`${architecture}.${key}`)
    return typeof value === 'number' && value > 0 ? value : fallback
  }
  const contextTokens = number('context_length', 0)
  const heads = number('attention.head_count', 1)
  if (contextTokens === 0) throw new AppError('invalid', `${name} is no language model: it names no context length.`)
  const headSize = number('attention.key_length', number('embedding_length', 0) / heads)
  // Keys and values of each layer, two bytes a number.
  const memoryPerToken = 2 * 2 * number('block_count', 0) * number('attention.head_count_kv', heads) * headSize
  return { architecture, contextTokens, memoryPerToken }
}

const notGguf = (name: string): AppError => new AppError('invalid', `${name} is no GGUF file.`)

const MAGIC = 'GGUF'
const VERSIONS = [2, 3]
const BYTES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8] // of each type; texts and lists are read otherwise
const [TEXT, LIST] = [8, 9]
const KEYS = 4_096

// What stands before the tokenizer's long lists, or before the end of what was read, is all that is needed.
function valuesIn(head: Buffer, name: string): Values {
  if (head.length < 24 || head.toString('latin1', 0, 4) !== MAGIC) throw notGguf(name)
  const version = head.readUInt32LE(4)
  if (!VERSIONS.includes(version))
    throw new AppError('invalid', `${name} is a GGUF file of version ${version}; versions 2 and 3 can be read.`)
  const count = Math.min(KEYS, Number(head.readBigUInt64LE(16)))
  const values: Values = new Map()
  let at = 24
  const number = (type: number): number => {
    const start = at
    at += BYTES[type]!
    if (type === 6) return head.readFloatLE(start)
    if (type === 12) return head.readDoubleLE(start)
    if (type === 10 || type === 11) return Number(head.readBigUInt64LE(start))
    return type === 4 || type === 5 ? head.readUInt32LE(start) : head.readUIntLE(start, BYTES[type]!)
  }
  const text = (): string => {
    const length = number(10)
    const start = at
    at += length
    if (at > head.length) throw new RangeError('cut')
    return head.toString('utf8', start, at)
  }
  const skipList = (): void => {
    const type = number(4)
    const length = number(10)
    if (type !== TEXT && !BYTES[type]) throw notGguf(name)
    if (type === TEXT) for (let item = 0; item < length; item++) text()
    else at += length * BYTES[type]!
  }
  try {
    for (let entry = 0; entry < count; entry++) {
      const key = text()
      const type = number(4)
      if (type === LIST) skipList()
      else if (type !== TEXT && !BYTES[type]) throw notGguf(name)
      else values.set(key, type === TEXT ? text() : number(type))
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return values
}
