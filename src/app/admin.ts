// The owner's commands. Whoever holds this object is the owner: the doors check the admin key, the command line needs none.
import { z } from 'zod'
import { type Admin, adminOperations } from '../contract/admin-api.ts'
import type { Persona } from '../domain/persona.ts'
import { noPersona } from './access.ts'
import { adminDocuments } from './admin-documents.ts'
import { adminDrafts } from './admin-drafts.ts'
import { adminKeys } from './admin-keys.ts'
import { adminLooks } from './admin-looks.ts'
import { adminPersonas } from './admin-personas.ts'
import { adminRecall } from './admin-recall.ts'
import { adminReplies } from './admin-replies.ts'
import type { Needs } from './needs.ts'
import { validate } from './validate.ts'

export type AdminNeeds = Needs & { requestId: string }

export function createAdmin(needs: AdminNeeds): Admin {
  const commands: Admin = {
    ...adminPersonas(needs),
    ...adminKeys(needs),
    ...adminDocuments(needs),
    ...adminDrafts(needs),
    ...adminRecall(needs),
    ...adminLooks(needs),
    ...adminReplies(needs),
  }
  return checked(commands, needs.limits.textCharacters)
}

// Every command gets its fields checked against its schema first, whichever door they came through.
function checked(commands: Admin, textCharacters: number): Admin {
  const entries = Object.entries(commands).map(([name, command]) => {
    const schema = fieldsOf[name as keyof Admin]
    const run = async (given: unknown) =>
      (command as (fields: unknown) => Promise<unknown>)(validate(schema, given, textCharacters))
    return [name, run]
  })
  return Object.fromEntries(entries)
}

const fieldsOf = Object.fromEntries(
  Object.entries(adminOperations).map(([name, operation]) => {
    const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1]!, z.string()])
    const query = 'query' in operation ? operation.query.shape : {}
    const body = 'body' in operation ? operation.body.shape : {}
    return [name, z.object({ ...query, ...body, ...Object.fromEntries(parameters) })]
  }),
) as Record<keyof Admin, z.ZodObject>

export async function personaNamed({ store }: Pick<Needs, 'store'>, domainName: string): Promise<Persona> {
  const persona = await store.personas.byDomainName(domainName)
  if (!persona) throw noPersona(domainName)
  return persona
}

// A full page has a next one, named by its last row.
export const nextOf = (rows: { id: string }[], limit: number): string | null =>
  rows.length < limit ? null : rows.at(-1)!.id
