// A public request as its implementation gets it: the caller allowed, the persona found, the fields checked.
import type { z } from 'zod'
import type { PublicName, PublicOperations, UploadedFile } from '../contract/public-api.ts'
import type { Persona } from '../domain/persona.ts'
import type { Caller } from './access.ts'
import type { Needs } from './needs.ts'

type Checked<T, Part extends 'body' | 'query'> = T extends Record<Part, z.ZodType> ? z.output<T[Part]> : unknown

// Operations without a scope are about the key, not about a persona.
export type PublicRequest<Name extends PublicName, T = PublicOperations[Name]> = {
  caller: Caller
  body: Checked<T, 'body'>
  query: Checked<T, 'query'>
} & (T extends { scope: string } ? { persona: Persona } : unknown) &
  (T extends { multipart: true } ? { file: UploadedFile } : unknown)

export type Implementation<Name extends PublicName> = (
  needs: Needs,
  request: PublicRequest<Name>,
) => Promise<InTurn<z.output<PublicOperations[Name]['answer']>>>

// A list may come a few entries at a time.
type InTurn<T> = T extends readonly (infer Entry)[] ? T | AsyncIterable<Entry[]> : T

export type Implementations = { [Name in PublicName]: Implementation<Name> }
