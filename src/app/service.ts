// The public operations for one caller: each row of the contract is allowed, checked and handed to its implementation.
import { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import { type PublicName, publicOperations, type Service, type UploadedFile } from '../contract/public-api.ts'
import { AppError } from '../domain/errors.ts'
import { allow, type Caller, personaFor } from './access.ts'
import { conversation, instruction, message } from './conversations/public.ts'
import { documentById, documents, updateDocument, uploadFile, uploadText, uploadUrl } from './documents/public.ts'
import { isInTurn } from './in-turn.ts'
import { invite, validateKey } from './keys/public.ts'
import { memory, memoryList } from './memories/public.ts'
import type { Needs } from './needs.ts'
import type { Implementations } from './request.ts'
import { validate } from './validate.ts'

const implementations: Implementations = {
  message,
  instruction,
  conversation,
  uploadUrl,
  uploadText,
  uploadFile,
  memory,
  documents,
  updateDocument,
  documentById,
  memoryList,
  validateKey,
  invite,
}

const nothing = z.object({})

// What was answered, or the entries of a list, a few at a time.
export type Calls = Record<PublicName, (body: unknown, query?: unknown, file?: UploadedFile) => Promise<unknown>>

export function createService(needs: Needs, caller: Caller): Service {
  const calls = Object.entries(createCalls(needs, caller)).map(([name, call]) => {
    const whole = async (...given: Parameters<typeof call>) => {
      const answer = await call(...given)
      return isInTurn(answer) ? (await Array.fromAsync(answer)).flat() : answer
    }
    return [name, whole]
  })
  return Object.fromEntries(calls)
}

export function createCalls(needs: Needs, caller: Caller): Calls {
  const calls = Object.entries(publicOperations as Record<string, Operation>).map(([name, operation]) => {
    const implementation = implementations[name as keyof Implementations] as (
      needs: Needs,
      request: object,
    ) => Promise<unknown>
    const call = async (givenBody: unknown, givenQuery: unknown = {}, file?: UploadedFile) => {
      allow(caller, operation)
      const body = validate(operation.body ?? nothing, operation.body ? givenBody : {}, needs.sizes.textCharacters)
      const query = validate(operation.query ?? nothing, givenQuery, needs.sizes.textCharacters)
      const persona = operation.scope && (await personaFor(needs, caller, operation, domainNameOf(query, body)))
      return implementation(needs, { caller, persona, body, query, file })
    }
    return [name, call]
  })
  return Object.fromEntries(calls)
}

// Some operations take the persona's name in the address as well; then both must say the same.
function domainNameOf(...given: { DomainName?: unknown; domain_name?: unknown }[]): string | undefined {
  const names = given
    .flatMap(({ DomainName, domain_name }) => [DomainName, domain_name])
    .filter((name) => typeof name === 'string')
  if (new Set(names.map((name) => name.toLowerCase())).size > 1)
    throw new AppError('invalid', 'DomainName differs between the address and the form.')
  return names[0]
}
