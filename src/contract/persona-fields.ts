// The fields of a persona that its owner sets.
import { z } from 'zod'
import { chatProviders } from '../domain/chat-model.ts'
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
    },
    { error: 'must be an object with provider, url, name and key' },
  )
  .describe('A chat model for this persona alone.')
