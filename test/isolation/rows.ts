// Every row that the store holds of one persona, to be compared with a later look.
import { join } from 'node:path'
import { postgresSnapshot } from '../../src/store/postgres/snapshot.ts'
import { pages, type Row, tableNames } from '../../src/store/rows.ts'
import { sqliteSnapshot } from '../../src/store/sqlite/snapshot.ts'
import type { Started } from '../started.ts'

export async function rowsOf(service: Started, domainName: string): Promise<Record<string, Row[]>> {
  const { databaseUrl, folder } = service
  const { db, close } = await (databaseUrl ? postgresSnapshot(databaseUrl) : sqliteSnapshot(join(folder, 'memoir.db')))
  const found: Record<string, Row[]> = {}
  let id: unknown
  for (const table of tableNames) {
    const rows: Row[] = []
    for await (const page of pages(db, table)) rows.push(...page)
    if (table === 'personas') id = rows.find((row) => row.domain_name === domainName)!.id
    found[table] = rows.filter((row) => (table === 'personas' ? row.id === id : row.persona_id === id))
  }
  await close()
  return found
}
