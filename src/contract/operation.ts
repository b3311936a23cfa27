// An operation is one line of the wire: how it is called, what it takes, what it answers, how it refuses.
import { z } from 'zod'
import type { Scope } from '../domain/access.ts'

export type Operation = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string // parameters in braces
  aliases?: readonly string[] // other paths that programs in use call
  summary: string
  about?: string
  scope?: Scope
  unauthorized?: { status: 403 | 503; sentence: string }
  query?: z.ZodObject
  body?: z.ZodObject
  multipart?: boolean
  once?: boolean // takes an Idempotency-Key
  stores?: boolean // what it stores is named in x-memoir-document-id
  upload?: string // its body is a file of this type
  download?: string // answers with a file of this type
  stream?: boolean // answers with server-sent events
  streamed?: { name: string; path: string; summary: string; about: string } // the same, answered as it is written
  answer: z.ZodType
  errors: Readonly<Record<number, string>>
}

export const operation = <const T extends Operation>(definition: T): T => definition

// An operation that can be streamed is two of them: as one answer, and as server-sent events.
export const withStreamed = (operation: Operation): Operation[] => {
  const { streamed, ...whole } = operation
  return streamed ? [whole, { ...whole, ...streamed, aliases: [bare(streamed.path)], stream: true }] : [operation]
}

// The public paths are also served without their /v1: connectors call them so.
export const bare = (path: string): string => path.replace(/^\/v1/, '')

// Carries the error's code beside its status.
export const errorHeader = 'x-memoir-error'

// The ids of the documents that a request became, separated by commas.
export const documentHeader = 'x-memoir-document-id'

// With the admin key: the caller speaks to personas as their owner.
export const ownerHeader = 'x-memoir-owner'

export const ErrorAnswer = z.object({ detail: z.string().describe('One sentence a caller can act on.') })

// Names of body fields are matched case-insensitively, the exact spelling first. Unknown fields are ignored;
// null, and "" for an optional field, count as absent, unless the field is marked otherwise.
export function namedFields(schema: z.ZodObject, body: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const loose = looseNames(schema)
  for (const [name, value] of Object.entries(body)) {
    const exact = Object.hasOwn(schema.shape, name)
    const field = exact ? name : loose.get(name.toLowerCase())
    if (field === undefined || (!exact && Object.hasOwn(body, field))) continue
    if (value === null && !nullCounts(schema, field)) continue
    if (value === '' && optionalFields(schema).has(field)) continue
    fields[field] = value
  }
  return fields
}

const looseNamesCache = new WeakMap<z.ZodObject, Map<string, string>>()
function looseNames(schema: z.ZodObject): Map<string, string> {
  let names = looseNamesCache.get(schema)
  if (!names) {
    names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]))
    // `Event` is sent for `Events` by programs in use.
    if (names.has('events')) names.set('event', names.get('events')!)
    looseNamesCache.set(schema, names)
  }
  return names
}

// A field marked `nullCounts` is taken away by null.
const nullCounts = (schema: z.ZodObject, field: string): boolean =>
  (schema.shape[field] as z.ZodType).meta()?.nullCounts === true

const optionalCache = new WeakMap<z.ZodObject, Set<string>>()
function optionalFields(schema: z.ZodObject): Set<string> {
  let names = optionalCache.get(schema)
  if (!names) {
    // A field marked `blankCounts` means something by being empty.
    const optional = Object.entries(schema.shape).filter(([, field]) => {
      const type = field as z.ZodType
      return type.safeParse(undefined).success && type.meta()?.blankCounts !== true
    })
    names = new Set(optional.map(([name]) => name))
    optionalCache.set(schema, names)
  }
  return names
}
