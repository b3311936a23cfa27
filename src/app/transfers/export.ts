// A persona goes out as a file; what a caller said goes out, or goes for good.
import { z } from 'zod'
import type { Admin } from '../../contract/admin-api.ts'
import { keepOperations } from '../../contract/keep-api.ts'
import { AppError } from '../../domain/errors.ts'
import type { CallerOf } from '../../ports/transfers.ts'
import { allowRight, type Caller } from '../access.ts'
import type { AdminNeeds, Needs } from '../needs.ts'
import { personaNamed } from '../personas/find.ts'
import { takes } from '../rights.ts'
import { validate } from '../validate.ts'

type Exported = Promise<AsyncIterable<Uint8Array>>

export async function exportPersona(needs: Needs, caller: Pick<Caller, 'key'>, given: unknown): Exported {
  allowRight(caller, takes.exportPersona)
  const { domain_name, vectors } = fieldsOf(needs, keepOperations.exportPersona.body, given)
  const { id } = await personaNamed({ ...needs, caller }, domain_name)
  return needs.store.transfers.export(id, { withVectors: vectors })
}

export async function exportCaller(needs: Needs, caller: Pick<Caller, 'key'>, given: unknown): Exported {
  allowRight(caller, takes.exportCaller)
  const { domain_name, ...named } = fieldsOf(needs, keepOperations.exportCaller.body, given)
  const { id } = await personaNamed({ ...needs, caller }, domain_name)
  return needs.store.transfers.export(id, { withVectors: false, caller: callerOf(named) })
}

export function adminTransfers(needs: AdminNeeds): Pick<Admin, 'deleteCaller'> {
  return {
    async deleteCaller({ domain_name, ...named }) {
      const { id } = await personaNamed(needs, domain_name)
      const deleted = await needs.store.transfers.removeCaller(id, callerOf(named))
      if (deleted.sessions === 0) throw new AppError('not_found', 'This persona has no session of that caller.')
      return { deleted, deleted_at: new Date().toISOString() }
    },
  }
}

const fieldsOf = <T extends z.ZodRawShape>(needs: Needs, body: z.ZodObject<T>, given: unknown) =>
  validate(body.extend({ domain_name: z.string() }), given, needs.sizes.textCharacters)

type Named = { session_id?: string | undefined; user_name?: string | undefined }

function callerOf({ session_id, user_name }: Named): CallerOf {
  if (session_id !== undefined && user_name === undefined) return { sessionId: session_id }
  if (user_name !== undefined && session_id === undefined) return { userName: user_name }
  throw new AppError('invalid', 'Name the caller by session_id or by user_name, one of the two.')
}
