// The fields of a persona that its owner sets.
import { z } from 'zod'
import { chatProviders } from '../domain/chat-model.ts'
import { originOf } from '../domain/sharing.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'

export const ownerFields = {
  name: field.text(limits.nameCharacters).default(''),
  email: field.text(limits.nameCharacters).default(''),
  picture: field.text(limits.pictureCharacters).default(''),
}
export const threshold = z
  .number({ error: 'must be a number from 0 to 100' })
  .min(0, 'must be a number from 0 to 100')
  .max(100, 'must be a number from 0 to 100')
  .describe('A reply that scores below it is withheld. 0 never withholds.')
export const picture = field.text(limits.pictureCharacters).describe('An address, or a small picture as a data: URL.')
export const instructions = field
  .text(limits.instructionsCharacters)
  .describe('The voice of the persona and what it should know of itself.')
export const requiresSourceName = field.flag.describe(
  'true: a message without SourceName is refused, so that every trigger knows where it came from.',
)

const price = z
  .number({ error: 'must be a number, not negative' })
  .min(0, 'must be a number, not negative')
  .max(limits.pricePerMillion, `is more than ${limits.pricePerMillion}`)

export const model = z
  .object(
    {
      provider: z
        .enum(chatProviders, { error: `must be one of ${chatProviders.join(', ')}` })
        .default('openai-compatible'),
      url: field.text(limits.urlCharacters).nullish().describe("Base address. Default: the vendor's own."),
      name: field.text(limits.nameCharacters).min(1, 'is empty').describe('The model, as its server calls it.'),
      key: field
        .text(limits.urlCharacters)
        .nullish()
        .describe('Left out: the key before it stays, as long as provider and url do. Never shown again.'),
      prices: z
        .object(
          {
            prompt: price.describe('of a million tokens that it reads'),
            answer: price.describe('of a million tokens that it writes'),
            currency: field.text(3).regex(/^[A-Z]{3}$/, 'must be three capital letters such as EUR'),
          },
          { error: 'must be an object with prompt, answer and currency' },
        )
        .nullish()
        .describe('What it costs, for the figures. Left out: none.'),
    },
    { error: 'must be an object with provider, url, name, key and prices' },
  )
  .describe('A chat model for this persona alone.')

const origin = field
  .text(limits.nameCharacters)
  .refine((text) => originOf(text) !== undefined, 'must be an origin such as https://example.com')
  .transform((text) => originOf(text)!)

export const sharing = z
  .object(
    {
      on: field.flag.describe('Whether /talk/{domain_name} is there at all.'),
      origins: z
        .array(origin, { error: 'must be a list of origins such as https://example.com' })
        .max(limits.sharingOrigins, `names more than ${limits.sharingOrigins} origins`)
        .transform((all) => [...new Set(all)])
        .describe('Sites that may embed the page.'),
      show_sources: field.flag.describe('Visitors see the titles of the documents a reply rests on.'),
      default_message: field
        .text(limits.defaultMessageCharacters)
        .describe('What visitors read in place of a reply below the threshold. Empty: the default.'),
    },
    { error: 'must be an object with on, origins, show_sources and default_message' },
  )
  .partial()
  .describe('A page for people without keys. What is left out stays.')
