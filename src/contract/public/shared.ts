// What the public operations have in common: fields, refusals, and the texts of their errors.
import * as field from '../fields.ts'
import { limits } from '../limits.ts'
import { bare } from '../operation.ts'

export const KEY_INVALID =
  'The key is missing, wrong, revoked or expired, lacks the scope, or the persona is not its own.'
export const FIELD_INVALID = 'A field is missing or malformed; detail names it. Nothing was stored.'

// A path under /v1, also served without it.
export const at = <const P extends string>(path: P, ...older: string[]) => ({
  path,
  aliases: [bare(path), ...older.flatMap((other) => (other.startsWith('/v1/') ? [other, bare(other)] : [other]))],
})

export const refused = (sentence: string, status: 403 | 503 = 403) => ({ status, sentence })

export const persona = { DomainName: field.domainNameOrDefault }
export const sourceName = field.text(limits.nameCharacters).describe('The program the request comes from.')
