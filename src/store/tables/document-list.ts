// Documents as lists show them: searched, narrowed down and sorted, a page at a time.
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DocumentFilter } from '../../ports/filters.ts'
import type { Documents } from '../../ports/store.ts'
import type { Database } from './database.ts'
import { listedColumns, listedFromRow } from './document-rows.ts'
import type { Tables } from './schema.ts'

// In the words of the index: as a parameter the engine would not know it for that.
export const isListed = sql<boolean>`kind <> 'memory'`

export const listDocuments =
  ({ read }: Pick<Database, 'read'>): Documents['list'] =>
  async (personaId, { limit, before, requestId, sort = 'newest', ...filter }) => {
    let query = read.selectFrom('documents').select(listedColumns).where('persona_id', '=', personaId).where(isListed)
    if (requestId !== undefined) query = query.where('request_id', '=', requestId)
    query = narrow(query, filter)
    if (before !== undefined && sort !== 'title') query = query.where('id', sort === 'newest' ? '<' : '>', before)
    if (before !== undefined && sort === 'title') {
      const last = await read
        .selectFrom('documents')
        .select('title_key')
        .where('persona_id', '=', personaId)
        .where('id', '=', before)
        .executeTakeFirst()
      if (!last) return []
      query = query.where((is) =>
        is.or([
          is('title_key', '>', last.title_key),
          is.and([is('title_key', '=', last.title_key), is('id', '>', before)]),
        ]),
      )
    }
    if (sort === 'title') query = query.orderBy('title_key')
    const rows = await query
      .orderBy('id', sort === 'newest' ? 'desc' : 'asc')
      .limit(limit)
      .execute()
    return rows.map(listedFromRow)
  }

type Query<O> = SelectQueryBuilder<Tables, 'documents', O>

function narrow<O>(
  query: Query<O>,
  { text, kind, state, isDraft, tag, source, since, until }: DocumentFilter,
): Query<O> {
  let narrowed = query
  if (text !== undefined) narrowed = narrowed.where((is) => isCalled(is, text))
  if (kind !== undefined) narrowed = narrowed.where('kind', '=', kind)
  if (state !== undefined) narrowed = narrowed.where('state', '=', state)
  if (isDraft !== undefined) narrowed = narrowed.where('is_draft', '=', isDraft ? 1 : 0)
  if (tag !== undefined) narrowed = narrowed.where('tags', 'like', holdsTag(tag))
  if (source !== undefined) narrowed = narrowed.where('source_name', '=', source)
  if (since !== undefined) narrowed = narrowed.where('start_time', '>=', since.getTime())
  if (until !== undefined) narrowed = narrowed.where('start_time', '<=', until.getTime())
  return narrowed
}

function isCalled(is: ExpressionBuilder<Tables, 'documents'>, text: string) {
  const holding = `%${escapeLike(text.trim().toLowerCase())}%`
  return is.or([
    is('title_key', 'like', holding),
    is(is.fn<string>('lower', ['file_name']), 'like', holding),
    is(is.fn<string>('lower', ['url']), 'like', holding),
  ])
}

// A tag stands in the row as JSON writes it, in quotes: no other tag that holds it is meant.
export const holdsTag = (tag: string): string => `%${escapeLike(JSON.stringify(tag))}%`

// What an engine might take for more than a letter stands for any letter.
const escapeLike = (text: string): string => text.replaceAll(/[%_\\]/g, '_')
