// Reading a sealed store: on each connection, temporary views that open what is sealed stand before the tables and
// have their names. Whoever reads a table then reads plain values, whatever the statement does with them.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Table } from '../../rows.ts'
import type { Codec, Value } from './codec.ts'
import { howOf, rowKey, sealedTables } from './columns.ts'

// An empty text tells nothing, and stays as it is.
export const isEmptyValue = (value: unknown): value is null | '' =>
  value === null || value === undefined || value === ''

// Tells the columns of each table that has a view.
export function hangViews(db: DatabaseSync, codec: Codec): Map<Table, string[]> {
  const known = new Map<Table, string[]>()
  const each = (act: (value: Value, place: string, row: unknown[]) => SQLInputValue) =>
    ((value: Value, place: string, ...row: unknown[]) =>
      isEmptyValue(value) ? value : act(value, place, row)) as never
  db.function('open_value', { varargs: true, deterministic: true }, each(codec.open))
  db.function(
    'open_findable',
    { varargs: true, deterministic: true },
    each((value, place) => codec.openFindable(value as string, place)),
  )
  db.function('seal_value', { varargs: true }, each(codec.seal))
  db.function(
    'seal_findable',
    { varargs: true, deterministic: true },
    each((value, place) => codec.sealFindable(value as string, place)),
  )
  for (const table of sealedTables) {
    const columns = columnsOf(db, table)
    if (columns.length === 0) continue
    const opened = columns.map((column) => `${openSql(table, column)} as "${column}"`)
    db.exec(`create temp view "${table}" as select ${opened.join(', ')} from main."${table}"`)
    known.set(table, columns)
  }
  return known
}

export function takeDownViews(db: DatabaseSync): void {
  for (const table of sealedTables) db.exec(`drop view if exists temp."${table}"`)
}

// A store of an older version may have fewer, or not have the table.
const columnsOf = (db: DatabaseSync, table: Table): string[] =>
  (db.prepare(`select name from pragma_table_info('${table}', 'main')`).all() as { name: string }[]).map(
    ({ name }) => name,
  )

function openSql(table: Table, column: string): string {
  const how = howOf(table, column)
  if (!how) return `"${column}"`
  const place = `'${table}.${column}'`
  if (how === 'findable') return `open_findable("${column}", ${place})`
  return `open_value("${column}", ${place}, ${rowKey(table)
    .map((key) => `"${key}"`)
    .join(', ')})`
}
