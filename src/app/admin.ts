// The owner's commands, each allowed and checked before it runs, whichever door it came through.
import { z } from 'zod'
import { type Admin, adminOperations } from '../contract/admin-api.ts'
import { adminAudit } from './audit/admin.ts'
import { recorded } from './audit/record.ts'
import { adminBackups } from './backups/admin.ts'
import { adminConversations } from './conversations/admin.ts'
import { adminDocuments } from './documents/admin.ts'
import { adminKeys } from './keys/admin.ts'
import { adminMemories } from './memories/admin.ts'
import { adminModels } from './models/admin.ts'
import type { AdminCaller, Needs } from './needs.ts'
import { adminNotices } from './notices/admin.ts'
import { adminWaiting } from './notices/waiting.ts'
import { adminPeople } from './people/admin.ts'
import { adminSelf } from './people/self.ts'
import { adminPersonas } from './personas/admin.ts'
import { adminPersonaModels } from './personas/models.ts'
import { adminReplies } from './replies/admin.ts'
import { adminDrafts } from './replies/drafts.ts'
import { allowCommand } from './rights.ts'
import { adminSources } from './sources/admin.ts'
import { adminTransfers } from './transfers/export.ts'
import { adminTriggers } from './triggers/admin.ts'
import { validate } from './validate.ts'

export function createAdmin(needs: Needs, caller: AdminCaller): Admin {
  const own = { ...needs, requestId: caller.requestId, caller }
  const commands: Admin = {
    ...adminPersonas(own),
    ...adminPersonaModels(own),
    ...adminKeys(own),
    ...adminDocuments(own),
    ...adminMemories(own),
    ...adminConversations(own),
    ...adminReplies(own),
    ...adminDrafts(own),
    ...adminSources(own),
    ...adminTriggers(own),
    ...adminBackups(own),
    ...adminModels(own),
    ...adminAudit(own),
    ...adminTransfers(own),
    ...adminPeople(own),
    ...adminSelf(own),
    ...adminWaiting(own),
    ...adminNotices(own),
  }
  const entries = Object.entries(commands).map(([name, command]) => {
    const run = async (given: unknown = {}) => {
      await allowCommand(needs, caller, name as keyof Admin, (given as { domain_name?: unknown })?.domain_name)
      const fields = validate(fieldsOf[name as keyof Admin], given, needs.sizes.textCharacters)
      const act = () => (command as (fields: unknown) => Promise<unknown>)(fields)
      if (adminOperations[name as keyof Admin].method === 'GET' || isLooking.has(name)) return act()
      const { domain_name: persona, id } = given as { domain_name?: string; id?: string }
      return recorded(needs, caller, { what: name, on: [persona, id].filter(Boolean).join('/') }, act)
    }
    return [name, run]
  })
  return Object.fromEntries(entries)
}

// Commands that take a body, and change nothing.
const isLooking = new Set<string>(['recall', 'preview'])

const fieldsOf = Object.fromEntries(
  Object.entries(adminOperations).map(([name, operation]) => {
    const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1]!, z.string()])
    const query = 'query' in operation ? operation.query.shape : {}
    const body = 'body' in operation ? operation.body.shape : {}
    return [name, z.object({ ...query, ...body, ...Object.fromEntries(parameters) })]
  }),
) as Record<keyof Admin, z.ZodObject>
