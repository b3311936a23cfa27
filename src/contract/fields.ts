// The fields that several operations share, each with its rule and the sentence for breaking it.
import { z } from 'zod'
import { domainNamePattern } from '../domain/persona.ts'
import { parseTime, timeExamples } from '../domain/time.ts'
import { limits } from './limits.ts'

export const text = (most: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be a string') })
    .max(most, `is longer than ${most} characters`)

// Longer than this is refused as too large, with the setting's own limit (app/validate.ts).
export const longText = text(Number.MAX_SAFE_INTEGER)

// Not white space alone: there would be nothing to learn or to answer.
export const filledText = longText.min(1, 'is empty').refine((value) => value.trim() !== '', 'is empty')

// So many of something; in an address they come as text.
export const count = (most: number) => {
  const error = `must be an integer from 1 to ${most}`
  return z.coerce.number({ error }).int(error).min(1, error).max(most, error)
}

export const domainName = text(limits.domainNameCharacters).regex(
  domainNamePattern,
  'may hold letters, digits, "-" and "." only',
)

// Blank counts as left out.
export const domainNameOrDefault = z
  .preprocess((value) => (typeof value === 'string' ? value.trim() || undefined : value), domainName.optional())
  .optional()
  .describe("The persona's identifier. May be left out where the key has a default persona.")

export const sessionId = text(limits.sessionIdCharacters).describe(
  'Groups the messages of one conversation. Any string of 1–256 characters.',
)

export const flag = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value
    const word = value.trim().toLowerCase()
    return word === 'true' ? true : word === 'false' ? false : value
  },
  z.boolean({ error: 'must be true or false' }),
)

export const time = text(limits.timeCharacters)
  .refine((value) => parseTime(value) !== undefined, `is no time this service understands; write ${timeExamples}`)
  .meta({ examples: ['2023-05-08T13:56:00Z'] })

export const tags = z.preprocess(
  (value, context) => {
    if (typeof value !== 'string') return value
    if (value.length <= limits.tagsCharacters) return value.split(',')
    context.addIssue(`is longer than ${limits.tagsCharacters} characters`)
    return z.NEVER
  },
  z
    .array(z.string({ error: 'must hold strings' }), {
      error: 'must be a comma-delimited string or an array of strings',
    })
    .transform((list) => list.map((tag) => tag.trim()).filter((tag) => tag !== ''))
    .refine((list) => list.length <= limits.tags, `holds more than ${limits.tags} tags`)
    .refine(
      (list) => list.every((tag) => tag.length <= limits.tagCharacters),
      `holds a tag longer than ${limits.tagCharacters} characters`,
    ),
)
