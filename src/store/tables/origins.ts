// Documents by the name they have where they came from.
import type { Incoming, Origins } from '../../ports/origins.ts'
import { limits } from '../limits.ts'
import type { Database, Writing } from './database.ts'
import { documentToRow, laneOf, titleKey } from './document-rows.ts'
import { insertPieces, keepRevision, locked, waiting } from './documents.ts'
import type { DocumentRow } from './schema.ts'

export function origins({ read, durably }: Database): Origins {
  return {
    async known(personaId, names) {
      if (names.length === 0) return new Map()
      const rows = await read
        .selectFrom('documents')
        .select(['id', 'origin', 'origin_hash', 'request_id', 'created_at'])
        .where('persona_id', '=', personaId)
        .where('origin', 'in', names)
        .execute()
      return new Map(
        rows.map((row) => [
          row.origin!,
          {
            documentId: row.id,
            hash: row.origin_hash ?? '',
            requestId: row.request_id,
            createdAt: new Date(row.created_at),
          },
        ]),
      )
    },

    keep: (personaId, incoming) =>
      durably(async (tx) => {
        for (const one of incoming) await keepIncoming(tx, personaId, one)
      }),
  }
}

export const keepIncoming = (tx: Writing, personaId: number, incoming: Incoming): Promise<void> =>
  incoming.replaces ? replace(tx, personaId, incoming) : add(tx, personaId, incoming)

async function add(tx: Writing, personaId: number, { name, hash, document, file }: Incoming): Promise<void> {
  const row = { ...documentToRow(document), origin: name, origin_hash: hash }
  // Another process may have brought the same in a moment ago.
  const there = await tx
    .selectFrom('documents')
    .select('id')
    .where('persona_id', '=', personaId)
    .where('origin', '=', name)
    .executeTakeFirst()
  if (there) return
  await tx.insertInto('documents').values(row).execute()
  if (file) await insertPieces(tx, document, piecesOf(file))
}

async function replace(tx: Writing, personaId: number, { hash, document, replaces, file }: Incoming): Promise<void> {
  const row = await locked(tx, personaId, replaces!)
  if (!row) return
  const at = document.createdAt
  await keepRevision(tx, row, at)
  const changes: Partial<DocumentRow> = {
    ...waiting(at),
    text: document.text,
    characters: document.text.length,
    title: document.title,
    title_key: titleKey(document.title),
    tags: JSON.stringify(document.tags),
    // What the owner said of its time stands above a guess.
    start_time: row.time_given === 1 && !document.timeGiven ? row.start_time : document.startTime.getTime(),
    end_time: document.endTime?.getTime() ?? null,
    request_id: document.requestId,
    lane: laneOf(document.fileBytes, document.text),
    is_edited: file ? 0 : 1, // then its text stands for itself
    ...(file && { file_bytes: file.length, file_name: document.fileName, media_type: document.mediaType }),
    updated_at: at.getTime(),
    origin_hash: hash,
  }
  await tx.updateTable('documents').set(changes).where('persona_id', '=', personaId).where('id', '=', row.id).execute()
  if (!file) return
  const own = tx.deleteFrom('file_pieces').where('persona_id', '=', personaId)
  await own.where('document_id', '=', row.id).execute()
  await insertPieces(tx, { personaId, id: row.id }, piecesOf(file))
}

function* piecesOf(file: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < file.length; at += limits.filePieceBytes) yield file.subarray(at, at + limits.filePieceBytes)
}
