// The public operations for one caller: each row of the contract is allowed, checked and handed to its implementation.
import type { Operation } from '../contract/operation.ts'
import { type PublicName, publicOperations, type Service, type UploadedFile } from '../contract/public-api.ts'
import { AppError } from '../domain/errors.ts'
import { allow, type Caller, personaFor } from './access.ts'
import { recorded } from './audit/record.ts'
import { conversation, instruction, message } from './conversations/public.ts'
import {
  documentById,
  documentList,
  documents,
  updateDocument,
  uploadFile,
  uploadText,
  uploadUrl,
} from './documents/public.ts'
import { isInTurn } from './in-turn.ts'
import { invite, personas, validateKey } from './keys/public.ts'
import { embed, memory, memoryList, recall } from './memories/public.ts'
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
  documentList,
  memoryList,
  recall,
  embed,
  validateKey,
  personas,
  invite,
}

// What was answered, or the entries of a list, a few at a time.
export type Call = (body: unknown, query?: unknown, file?: UploadedFile) => Promise<unknown>

export function createService(needs: Needs, caller: Caller): Service {
  const calls = (Object.keys(publicOperations) as PublicName[]).map((name) => {
    const call = createCall(needs, caller, name)
    const whole: Call = async (...given) => {
      const answer = await call(...given)
      return isInTurn(answer) ? (await Array.fromAsync(answer)).flat() : answer
    }
    return [name, whole]
  })
  return Object.fromEntries(calls)
}

export function createCall(needs: Needs, caller: Caller, name: PublicName): Call {
  const operation: Operation = publicOperations[name]
  const implementation = implementations[name] as (needs: Needs, request: object) => Promise<unknown>
  return async (givenBody, givenQuery = {}, file) => {
    allow(caller, operation)
    const { textCharacters } = needs.sizes
    const body = operation.body ? validate(operation.body, givenBody, textCharacters) : {}
    const query = operation.query ? validate(operation.query, givenQuery, textCharacters) : {}
    const persona = operation.scope && (await personaFor(needs, caller, operation, domainNameOf(query, body)))
    const act = () => implementation(needs, { caller, persona, body, query, file })
    if (!TEACHING.has(name) && !(body as { is_stack?: boolean }).is_stack) return act()
    return recorded(needs, caller, { what: name, on: persona?.domainName ?? '' }, act)
  }
}

// What is written down: whatever changes what a persona knows, or who may call it.
const TEACHING = new Set<PublicName>(['uploadUrl', 'uploadText', 'uploadFile', 'memory', 'updateDocument', 'invite'])

// Some operations take the persona's name in the address as well; then both must say the same.
function domainNameOf(...given: { DomainName?: unknown; domain_name?: unknown }[]): string | undefined {
  let first: string | undefined
  for (const { DomainName, domain_name } of given) {
    const name = DomainName ?? domain_name
    if (typeof name !== 'string') continue
    first ??= name
    if (name.toLowerCase() !== first.toLowerCase())
      throw new AppError('invalid', 'DomainName differs between the address and the form.')
  }
  return first
}
