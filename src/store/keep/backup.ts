// Writes a store, as it is at one moment, into the parts of a backup file.
import type { Kysely } from 'kysely'
import packaged from '../../../package.json' with { type: 'json' }
import { pages, tableNames } from '../rows.ts'
import type { Tables } from '../tables/schema.ts'
import { type Block, encode, split } from './blocks.ts'
import { compress, type Part } from './compress.ts'
import { FORMAT, type Header, type Versions, writeHeader } from './header.ts'
import { cipherSeal, type Given, newSecret, type Place, plainSeal, type Seal, type Secret } from './seal.ts'

// Everything read from `db` is of the same moment, whatever others write meanwhile.
export type Snapshot = { db: Kysely<Tables>; close(): Promise<void> }

export async function* writeBackup(
  { db }: Pick<Snapshot, 'db'>,
  store: Versions,
  given: Given | undefined,
): AsyncGenerator<Uint8Array> {
  const secret = given === undefined ? undefined : await newSecret(given)
  const { bytes, hash } = writeHeader({
    format: formatOf(secret),
    made_by: packaged.version,
    made_at: new Date().toISOString(),
    store,
    encryption: secret?.encryption ?? null,
  })
  yield bytes
  const seal = secret ? cipherSeal(hash, secret.key) : plainSeal(hash)
  let number = 0
  for await (const { bytes, isLast } of compress(encoded(db))) yield* partOf(seal, bytes, { number: number++, isLast })
}

// What an older Memoir can read says so.
function formatOf(secret: Secret | undefined): Header['format'] {
  if (!secret) return FORMAT
  return secret.encryption.kdf === 'hkdf' ? 2 : 1
}

async function* encoded(db: Kysely<Tables>): AsyncGenerator<Part> {
  for await (const block of blocksOf(db)) yield { bytes: encode(block), isLast: 'end' in block }
}

export async function* blocksOf(db: Kysely<Tables>): AsyncGenerator<Block> {
  const end: Record<string, number> = {}
  for (const table of tableNames) {
    end[table] = 0
    for await (const rows of pages(db, table)) {
      end[table] += rows.length
      yield* split(table, rows)
    }
  }
  yield { end }
}

// Whether it is the last one, its length, its bytes, its tag.
function* partOf(seal: Seal, packed: Uint8Array, place: Place): Generator<Uint8Array> {
  const { body, tag } = seal.close(packed, place)
  const head = Buffer.alloc(5)
  head[0] = place.isLast ? 1 : 0
  head.writeUInt32BE(body.length, 1)
  yield head
  yield body
  yield tag
}
