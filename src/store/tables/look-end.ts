// The end of a look at a source: what its pages came to, and what is said of those it did not come by.
import { sql } from 'kysely'
import type { LookAccount } from '../../domain/followed-source.ts'
import { limits } from '../../domain/limits.ts'
import type { LookEnd, PageOutcome } from '../../ports/sources.ts'
import type { Writing } from './database.ts'
import type { SourceRow } from './source-rows.ts'

export async function endLook(tx: Writing, row: SourceRow, { leftOut, others }: LookEnd): Promise<LookAccount> {
  await settleOthers(tx, row, others)
  const counted = await pagesOf(tx, row)
    .where('look', '=', row.look)
    .select(['outcome', 'reason', sql<number>`count(*)`.as('pages')])
    .groupBy(['outcome', 'reason'])
    .execute()
  const came = (outcome: PageOutcome) =>
    counted.filter((one) => one.outcome === outcome).reduce((sum, one) => sum + Number(one.pages), 0)
  const left_out = { ...leftOut }
  for (const { outcome, reason, pages } of counted)
    if (outcome === 'left out') left_out[reason ?? ''] = (left_out[reason ?? ''] ?? 0) + Number(pages)
  const gone = await pagesOf(tx, row)
    .where('look', '=', row.look)
    .where('outcome', '=', 'vanished')
    .select(['url', 'document_id'])
    .orderBy('url')
    .limit(limits.vanishedPages)
    .execute()
  return {
    new: came('new'),
    changed: came('changed'),
    same: came('same'),
    left_out,
    vanished: came('vanished'),
    vanished_pages: gone.map(({ url, document_id }) => ({ url, document_id: document_id! })),
  }
}

async function settleOthers(tx: Writing, row: SourceRow, others: LookEnd['others']): Promise<void> {
  const { persona_id, id, look } = row
  if (others === 'same')
    await tx
      .updateTable('source_pages')
      .set({ look, outcome: sql<PageOutcome>`case when outcome = 'left out' then outcome else 'same' end` })
      .where('persona_id', '=', persona_id)
      .where('source_id', '=', id)
      .execute()
  if (others === 'forgotten')
    await tx
      .deleteFrom('source_pages')
      .where('persona_id', '=', persona_id)
      .where('source_id', '=', id)
      .where('look', '<', look)
      .execute()
  if (others === 'vanished')
    await tx
      .updateTable('source_pages')
      .set({ look, outcome: 'vanished' })
      .where('persona_id', '=', persona_id)
      .where('source_id', '=', id)
      .where('look', '<', look)
      .execute()
  // Where the owner deleted the document there is nothing to be told any more.
  await tx
    .deleteFrom('source_pages')
    .where('persona_id', '=', persona_id)
    .where('source_id', '=', id)
    .where('outcome', '=', 'vanished')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('documents')
            .select('documents.id')
            .where('documents.persona_id', '=', persona_id)
            .whereRef('documents.id', '=', 'source_pages.document_id'),
        ),
      ),
    )
    .execute()
}

const pagesOf = (tx: Writing, { persona_id, id }: SourceRow) =>
  tx.selectFrom('source_pages').where('persona_id', '=', persona_id).where('source_id', '=', id)
