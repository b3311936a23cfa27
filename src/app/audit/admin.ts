// The owner looks through the audit record, and has its chain checked.
import type { Admin } from '../../contract/admin-api.ts'
import { type AuditEntry, FIRST_HASH, firstBroken } from '../../domain/audit.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'

export function adminAudit({ store }: AdminNeeds): Pick<Admin, 'listAudit' | 'verifyAudit'> {
  return {
    async listAudit({ limit, before }) {
      const page = { limit: Number(limit), before: before === undefined ? undefined : Number(before) }
      const entries = await store.audit.list(page)
      const next = entries.length < page.limit ? null : String(entries.at(-1)!.number)
      return { entries: entries.map(present), next }
    },

    async verifyAudit() {
      let last = { number: 0, hash: FIRST_HASH }
      for (;;) {
        const entries = await store.audit.after(last.number, limits.auditPage)
        const broken = firstBroken(last, entries)
        if (broken !== undefined) return { entries: last.number, is_whole: false, broken_at: broken, hash: last.hash }
        last = entries.at(-1) ?? last
        if (entries.length < limits.auditPage)
          return { entries: last.number, is_whole: true, broken_at: null, hash: last.hash }
        // Others have their turn between the pages.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

const present = ({ at, ...entry }: AuditEntry) => ({ ...entry, at: at.toISOString() })
