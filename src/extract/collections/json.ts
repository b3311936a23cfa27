// Reads JSON of any size and hands out only the values that are asked for, one at a time.

import { AppError } from '../../domain/errors.ts'
import { JsonScanner, type Path } from './json-scanner.ts'
import { damaged, type SourceFile } from './source.ts'

export type Found = { path: string[]; value: unknown }

export async function* jsonValues(file: SourceFile, wanted: readonly Path[]): AsyncGenerator<Found> {
  const scanner = new JsonScanner(wanted)
  const decoder = new TextDecoder()
  for await (const piece of file.pieces())
    for (const { path, json } of scanner.scan(decoder.decode(piece, { stream: true })))
      yield { path, value: parse(json, file.path) }
  if (!scanner.isComplete && !file.isDamaged()) throw new AppError('unreadable', `${file.path} is cut short.`)
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw damaged(path)
  }
}

// What a stranger's JSON holds where an object is expected, a text, a list.
type Fields = Record<string, unknown>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

// Seconds since 1970 as a number or as text, or any date that JavaScript reads. Null where there is none.
export function timeOf(value: unknown): Date | null {
  const isSeconds = typeof value === 'number' || (typeof value === 'string' && /^\d{9,11}(\.\d{1,9})?$/.test(value))
  const time = isSeconds ? new Date(Number(value) * 1_000) : new Date(textOf(value))
  const isPlausible = !Number.isNaN(time.getTime()) && time.getUTCFullYear() > 1900 && time.getUTCFullYear() < 2200
  return isPlausible ? time : null
}
