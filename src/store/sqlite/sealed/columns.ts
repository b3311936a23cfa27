// What is encrypted in a store with an encryption key. Whatever tells what people wrote, said or are called is sealed;
// ids, times, numbers, states and hashes of random secrets stay plain, so that the engine can find and sort rows.
import { keyColumns, type Table } from '../../rows.ts'

// `findable`: the same value becomes the same bytes, so that a row can be found by it. Such a value is tied to its
// column; every other one also to its row.
export type How = 'sealed' | 'findable'

type Columns = Readonly<Record<string, How>>

const sealed = (...names: string[]): Columns => Object.fromEntries(names.map((name) => [name, 'sealed']))

const columns: Partial<Record<Table, Columns>> = {
  personas: {
    domain_key: 'findable',
    ...sealed('domain_name', 'name', 'picture', 'instructions', 'model', 'owner_name', 'owner_email', 'owner_picture'),
    ...sealed('calibration', 'sharing'),
  },
  keys: sealed('name', 'last4'),
  documents: {
    origin: 'findable',
    ...sealed('title', 'title_key', 'text', 'raw_text', 'source_name', 'said_by', 'url', 'file_name', 'tags', 'error'),
    ...sealed('origin_hash'),
  },
  file_pieces: sealed('bytes'),
  revisions: sealed('text'),
  memories: sealed('text', 'headings', 'speaker'),
  traces: sealed('speaker', 'words'),
  vectors: sealed('bytes'),
  requests: { name: 'findable', fingerprint: 'sealed' },
  sessions: sealed('title', 'source_app', 'holder'),
  messages: sealed('text', 'source_app', 'user_name', 'metadata'),
  drafts: sealed('question', 'text', 'sources', 'source_app'),
  replies: sealed('question', 'text', 'explanation'),
  triggers: sealed('name', 'source', 'url', 'secret', 'old_secret', 'off_reason'),
  deliveries: sealed('payload', 'last_error'),
  delivery_attempts: sealed('error', 'response'),
  // The addresses of their pages stay plain: they are on the web, and rows are found by them.
  sources: sealed('url', 'title', 'off_reason', 'error', 'etag', 'last_modified', 'account'),
  audit: sealed('who', 'what', 'on_what', 'from_where', 'outcome', 'hash'),
  accounts: { email_key: 'findable', ...sealed('email', 'name', 'password') },
  invitations: sealed('email'),
  sign_ins: sealed('device', 'address'),
  passkeys: sealed('name', 'public_key'),
  notice_ways: sealed('target', 'trouble'),
  secrets: sealed('text'),
}

export const sealedTables = Object.keys(columns) as Table[]

export const howOf = (table: string, column: string): How | undefined => columns[table as Table]?.[column]

export const sealedOf = (table: Table): [string, How][] => Object.entries(columns[table] ?? {})

// What ties a value to its row. A findable value is part of how its row is found.
export const rowKey = (table: Table): string[] => keyColumns(table).filter((name) => !howOf(table, name))
