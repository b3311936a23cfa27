// A query that runs on every request is put into SQL once for each number of values; after that only the values change.
import type { Compilable } from 'kysely'
import type { Database } from './database.ts'

// Every value that `build` is given must become a parameter, once and in the order given.
export function prepared<V extends unknown[], R>(
  { query }: Pick<Database, 'query'>,
  build: (...values: V) => Compilable<R>,
): (...values: V) => Promise<R[]> {
  const texts = new Map<number, string>()
  return async (...values) => {
    let text = texts.get(values.length)
    if (text === undefined) {
      const { sql, parameters } = build(...values).compile()
      if (parameters.length !== values.length || parameters.some((value, at) => value !== values[at])) {
        throw new Error(`cannot be prepared: ${sql}`)
      }
      texts.set(values.length, sql)
      text = sql
    }
    return (await query(text, values)) as R[]
  }
}
