// Whether the models answer: the chat model of a persona and the embedder, each asked one question.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { tryModel } from '../models/admin.ts'
import type { AdminNeeds } from '../needs.ts'
import { chatSettings } from './admin.ts'
import { personaNamed } from './find.ts'

type Commands = Pick<Admin, 'testModel' | 'modelState' | 'testEmbedder'>

const SENTENCES = ['The kiln was rebuilt in May.', 'In May the oven was built anew.', 'My cat sleeps all day.']

export function adminPersonaModels(needs: AdminNeeds): Commands {
  return {
    async testModel({ domain_name, model }) {
      const persona = await personaNamed(needs, domain_name)
      const tried = model ? { ...persona, model: chatSettings(model, persona.model) } : persona
      return tryModel(needs.voiceOf(tried))
    },

    async modelState({ domain_name }) {
      const persona = await personaNamed(needs, domain_name)
      const state = needs.voiceState(persona)
      return {
        chat: state && { name: state.name, is_own: state.isOwn, trouble: state.trouble },
        embedder: needs.embedder.name,
        to_embed: needs.toEmbed?.(persona.id) ?? 0,
      }
    },

    async testEmbedder() {
      const { embedder } = needs
      try {
        const began = performance.now()
        const [one, same, other] = await embedder.embed(SENTENCES, 'memory')
        const tookMs = Math.round(performance.now() - began)
        return {
          model: embedder.name,
          dimensions: embedder.dimensions,
          took_ms: tookMs,
          alike: cosine(one!, same!),
          unlike: cosine(one!, other!),
          tokens: (await embedder.tokensOf?.(SENTENCES[0]!)) ?? null,
        }
      } catch (error) {
        throw new AppError('model_failed', `The embedding model did not answer: ${(error as Error).message}`)
      }
    },
  }
}

// Of vectors of unit length.
const cosine = (one: Float32Array, two: Float32Array): number =>
  Math.round(one.reduce((sum, value, at) => sum + value * two[at]!, 0) * 100) / 100
