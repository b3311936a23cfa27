// Vectors of texts in OpenAI's shape; the persona named as model says by whose key they are made.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app/app.ts'
import { validate } from '../../app/validate.ts'
import * as field from '../../contract/fields.ts'
import { limits, type Sizes } from '../../contract/limits.ts'
import { tokens } from './answer.ts'

const EmbeddingRequest = z.object({
  model: field.text(limits.nameCharacters).min(1, 'is empty'),
  input: z.union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' }),
  encoding_format: z.enum(['float', 'base64'], { error: 'must be float or base64' }).default('float'),
})

export async function embeddings(app: App, request: FastifyRequest, { textCharacters }: Sizes) {
  const { model, input, encoding_format } = validate(EmbeddingRequest, request.body, textCharacters)
  const texts = typeof input === 'string' ? [input] : input
  const service = app.as({ key: request.key!, requestId: request.id })
  const { embedder, vectors } = await service.embed({ DomainName: model, Texts: texts })
  const used = texts.reduce((sum, text) => sum + tokens(text), 0)
  return {
    object: 'list',
    model: embedder,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding:
        encoding_format === 'float' ? vector : Buffer.from(Float32Array.from(vector).buffer).toString('base64'),
    })),
    usage: { prompt_tokens: used, total_tokens: used },
  }
}
