// What a store holds, without what differs from run to run (ids, times, vectors' digits): to tell before from after.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Snapshot } from '../../src/store/keep/backup.ts'
import { pages, type Row, tableNames } from '../../src/store/rows.ts'
import { sqliteSnapshot } from '../../src/store/sqlite/snapshot.ts'

const columns: Partial<Record<(typeof tableNames)[number], string[]>> = {
  personas: ['domain_name', 'name', 'threshold'],
  keys: ['name', 'admin', 'scopes'],
  documents: ['kind', 'title', 'text', 'is_draft', 'is_edited', 'state', 'file_bytes', 'error'],
  file_pieces: ['position', 'bytes'],
  revisions: ['revision', 'text'],
  memories: ['position', 'text', 'speaker'],
  traces: ['is_turn', 'is_self', 'speaker'],
  vectors: ['embedder'],
  sessions: ['messages', 'title'],
  messages: ['position', 'role', 'text'],
  drafts: ['question', 'text', 'reason'],
  replies: ['question', 'text', 'decision', 'label'],
  triggers: ['name', 'url'],
}

export type View = Record<string, string[]>

export const viewOf = async (folder: string): Promise<View> => viewIn(await sqliteSnapshot(join(folder, 'memoir.db')))

export async function viewIn({ db, close }: Snapshot): Promise<View> {
  try {
    const view: View = {}
    for (const table of tableNames) {
      const shown = columns[table]
      if (!shown) continue
      const rows: string[] = []
      for await (const page of pages(db, table)) rows.push(...page.map((row) => shownOf(row, shown)))
      view[table] = rows.sort()
    }
    return view
  } finally {
    await close()
  }
}

const shownOf = (row: Row, shown: string[]): string =>
  JSON.stringify(
    shown.map((column) => {
      const value = row[column]
      return value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value
    }),
  )

// The tables that differ, with the rows of one side alone.
export function difference(view: View, other: View): string {
  const lines: string[] = []
  for (const table of Object.keys(view)) {
    const [here, there] = [view[table]!, other[table] ?? []]
    const gone = there.filter((row) => !here.includes(row))
    const more = here.filter((row) => !there.includes(row))
    if (here.length === there.length && gone.length + more.length === 0) continue
    lines.push(`${table}: ${here.length} for ${there.length}; more ${more.slice(0, 2)}; missing ${gone.slice(0, 2)}`)
  }
  return lines.join('\n')
}
