// The owner looks through the audit record, and has its chain checked.
import type { Admin } from '../../contract/admin-api.ts'
import { type AuditEntry, FIRST_HASH, firstBroken } from '../../domain/audit.ts'
import { isOwner, sees } from '../access.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'

export function adminAudit(needs: AdminNeeds): Pick<Admin, 'listAudit' | 'verifyAudit'> {
  const { store } = needs
  return {
    async listAudit({ limit, before }) {
      const page = { limit: Number(limit), before: before === undefined ? undefined : Number(before) }
      const entries = await store.audit.list({ ...page, on: await namesOf(needs) })
      const next = entries.length < page.limit ? null : String(entries.at(-1)!.number)
      const called = new Map((await store.people.accounts.list()).map(({ id, name }) => [id, name]))
      return { entries: entries.map((entry) => present(entry, called.get(entry.who) ?? null)), next }
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

// Whoever has some personas sees what was done to them; undefined: everything.
async function namesOf({ store, caller }: AdminNeeds): Promise<string[] | undefined> {
  if (isOwner(caller.key) || caller.key.personas === '*') return undefined
  const theirs = (await store.personas.list()).filter(({ id }) => sees(caller, id))
  return theirs.map(({ domainName }) => domainName)
}

const present = ({ at, ...entry }: AuditEntry, name: string | null) => ({ ...entry, name, at: at.toISOString() })
