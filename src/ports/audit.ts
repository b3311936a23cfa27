// The audit record: it only grows, and no entry of it can be changed or deleted.
import type { AuditEntry, Deed } from '../domain/audit.ts'

export type Audit = {
  append(deed: Deed): Promise<void>
  // Newest first; `before` is the number of the last one already seen; `on`: about these personas alone.
  list(page: { limit: number; before?: number | undefined; on?: string[] | undefined }): Promise<AuditEntry[]>
  // In their order, beginning after this number.
  after(number: number, limit: number): Promise<AuditEntry[]>
}
