// A long list comes in pages, newest first.
import { z } from 'zod'
import * as field from './fields.ts'
import { limits } from './limits.ts'

export const pages = z.object({
  limit: field.count(limits.pageSize).default(limits.pageSizeDefault).describe(`How many, ${limits.pageSize} at most.`),
  before: field.text(limits.sessionIdCharacters).optional().describe('`next` of the page before this one.'),
})

export const next = z.string().nullable().describe('Give it as `before` to get the next page; null on the last.')
