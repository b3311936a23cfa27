// Writes a data folder of this version for test/upgrade.test.ts: run it before a change of the tables.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { migrations } from '../src/store/sqlite/migrate.ts'
import { startService } from './started.ts'

const service = await startService()
await service.persona('ada-l')
const key = await service.key(['ada-l'])
const post = (path: string, body: object) =>
  service.call({ path: `/v1/${path}`, key, body: { DomainName: 'ada-l', ...body } })
await post('memory', { Text: 'The ladder stands in the shed.', SourceName: 'notes' })
await post('upload-text', { Title: 'Keys', Text: 'The spare key lies under the blue pot.', is_stack: true })
await service.learned()
await post('message', { Text: 'Where is the ladder?', SessionId: 'first' })
await service.close()
const path = join(service.folder, 'memoir.db')
const db = new DatabaseSync(path)
db.exec('pragma wal_checkpoint(truncate)')
db.close()
const name = `${String(migrations.length).padStart(2, '0')}.db.gz`
writeFileSync(new URL(`./files/data-folders/${name}`, import.meta.url), gzipSync(readFileSync(path), { level: 9 }))
