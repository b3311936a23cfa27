// A query that runs on every request is put into SQL once; after that only its values change.
import { type Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

// Every value that `build` is given must become a parameter, once and in the order given.
export function prepared<V extends unknown[], R>(
  read: Database['read'],
  build: (...values: V) => Compilable<R>,
): (...values: V) => Promise<R[]> {
  let text: string | undefined
  return async (...values) => {
    if (text === undefined) {
      const compiled = build(...values).compile()
      if (
        compiled.parameters.length !== values.length ||
        compiled.parameters.some((value, at) => value !== values[at])
      ) {
        throw new Error(`cannot be prepared: ${compiled.sql}`)
      }
      text = compiled.sql
    }
    return (await read.executeQuery<R>(CompiledQuery.raw(text, values))).rows
  }
}
