// A query that runs on every request is put into SQL once; after that only its values change.
import type { Compilable } from 'kysely'
import type { Database } from './database.ts'

// Every value that `build` is given must become a parameter, once and in the order given.
export function prepared<V extends unknown[], R>(
  { query }: Pick<Database, 'query'>,
  build: (...values: V) => Compilable<R>,
): (...values: V) => Promise<R[]> {
  let text: string | undefined
  return async (...values) => {
    if (text === undefined) {
      const { sql, parameters } = build(...values).compile()
      if (parameters.length !== values.length || parameters.some((value, at) => value !== values[at])) {
        throw new Error(`cannot be prepared: ${sql}`)
      }
      text = sql
    }
    return (await query(text, values)) as R[]
  }
}
