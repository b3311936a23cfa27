// The work of learning, as states and leases on the documents themselves.
import { newId } from '../../domain/id.ts'
import type { Claim, Work } from '../../ports/store.ts'
import type { Database, Writing } from './database.ts'
import { documentFromRow, titleKey } from './documents.ts'
import { replaceMemories } from './memories.ts'
import { count } from './receipt.ts'

// `leaseHolder` opens the name of each lease, so that the leases of a dead process can be told.
export function work({ read, quickly, durably, words }: Database, leaseHolder: string): Work {
  return {
    claim: (at, batch) =>
      quickly(async (tx) => {
        const due = await tx
          .selectFrom('documents')
          .select((of) => ['persona_id', 'id', of.fn<number>('length', ['text']).as('characters'), 'file_bytes'])
          .where('state', 'in', ['waiting', 'reading'])
          .where('due_at', '<=', at.getTime())
          .orderBy('due_at')
          .limit(batch.documents)
          .execute()
        const claims: Claim[] = []
        let characters = 0
        for (const row of due) {
          characters += row.characters + row.file_bytes
          if (claims.length > 0 && characters > batch.characters) break
          claims.push(await lease(tx, row.persona_id, row.id, at.getTime() + batch.leaseMs))
        }
        return claims
      }),

    async begin(claim) {
      claim.document.attempts++
      await quickly((tx) =>
        held(tx, claim.document.personaId, claim.document.id, claim.lease, { attempts: claim.document.attempts }),
      )
    },

    async progress({ document, lease }, percent, leaseUntil) {
      const until = leaseUntil.getTime()
      const changes = { progress: percent, lease_until: until, due_at: until }
      await quickly((tx) => held(tx, document.personaId, document.id, lease, changes))
    },

    finish: ({ document, lease }, learned) =>
      // Not synced: were it lost, the document would only be learned again.
      quickly(async (tx) => {
        const mine = await held(tx, document.personaId, document.id, lease, {
          text: learned.text,
          title: learned.title,
          title_key: titleKey(learned.title),
          start_time: learned.startTime.getTime(),
          state: 'ready',
          progress: 100,
          error: null,
          lease: null,
          lease_until: null,
        })
        if (mine) await replaceMemories(tx, words, document.personaId, document.id, learned.memories)
        return mine
      }),

    async fail({ document, lease }, error, retryAt) {
      const changes = retryAt
        ? { state: 'waiting' as const, error, due_at: retryAt.getTime(), lease: null, lease_until: null }
        : { state: 'failed' as const, error, lease: null, lease_until: null }
      await durably((tx) => held(tx, document.personaId, document.id, lease, changes))
    },

    async counts() {
      const inState = (...states: ('waiting' | 'reading' | 'failed')[]) =>
        count(read.selectFrom('documents').where('state', 'in', states))
      return {
        pending: await inState('waiting', 'reading'),
        running: await inState('reading'),
        failed: await inState('failed'),
      }
    },
  }

  async function lease(tx: Writing, personaId: number, id: string, until: number): Promise<Claim> {
    const name = `${leaseHolder}/${newId()}`
    const row = await tx
      .updateTable('documents')
      .set({
        state: 'reading',
        lease: name,
        lease_until: until,
        // A lease that runs out makes the document due again: one index finds both.
        due_at: until,
      })
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { document: documentFromRow(row), lease: name }
  }

  async function held(tx: Writing, personaId: number, id: string, name: string, changes: object): Promise<boolean> {
    const changed = await tx
      .updateTable('documents')
      .set(changes)
      .where('persona_id', '=', personaId)
      .where('id', '=', id)
      .where('lease', '=', name)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  }
}
