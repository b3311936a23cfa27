// The owner's models in the same service: what is there, fetched, tried and removed.
import type { z } from 'zod'
import type { Admin } from '../../contract/admin-api.ts'
import { modelsOperations } from '../../contract/models-api.ts'
import { spend } from '../../domain/chat-model.ts'
import { AppError } from '../../domain/errors.ts'
import type { LocalModel } from '../../ports/local-models.ts'
import type { Voice } from '../../ports/models.ts'
import { allowRight, type Caller } from '../access.ts'
import { recorded } from '../audit/record.ts'
import type { AdminNeeds, Needs } from '../needs.ts'
import { presentSpent } from '../replies/present.ts'
import { takes } from '../rights.ts'
import { validate } from '../validate.ts'

type Commands = Pick<Admin, 'listModels' | 'getModel' | 'tryModel' | 'removeModel'>

export function adminModels({ localModels, voiceOf }: AdminNeeds): Commands {
  return {
    async listModels() {
      const models = await localModels.list()
      const present = ({ name, state, bytes, totalBytes, facts, sha256, from, ...model }: LocalModel) => ({
        name,
        state,
        bytes,
        total_bytes: totalBytes,
        architecture: facts?.architecture ?? null,
        context_tokens: facts?.contextTokens ?? null,
        sha256,
        from,
        wrong: model.failure ?? localModels.tooLarge({ ...model, name, state, bytes, totalBytes, facts, sha256, from }),
      })
      return { folder: localModels.path, missing: localModels.missing(), models: models.map(present) }
    },

    async getModel({ from, sha256 }) {
      return { name: await localModels.fetch(from, sha256 ?? null) }
    },

    async tryModel({ id }) {
      return tryModel(voiceOf({ id: 0, model: { provider: 'local', url: null, name: id, key: null } }))
    },

    async removeModel({ id }) {
      await localModels.remove(id)
      return { removed: id }
    },
  }
}

const BRIEF = 'Answer in one short sentence.'
const TRIAL = 'What is the capital of France?'

export async function tryModel({ chat, withoutModel, prices }: Voice) {
  if (!chat) throw new AppError('model_failed', withoutModel ?? 'No chat model is set.')
  const began = performance.now()
  const { text, firstTokenMs, usage } = await chat.write({ system: BRIEF, turns: [{ role: 'user', text: TRIAL }] })
  return {
    model: chat.name,
    question: TRIAL,
    text,
    first_token_ms: Math.round(firstTokenMs),
    took_ms: Math.round(performance.now() - began),
    spent: presentSpent(usage && spend(usage, prices)),
  }
}

export type ModelFileFields = { sha256?: string }

// A file of the machine that Memoir runs on: only who works there may name one.
export async function addModelFile(
  needs: Needs,
  caller: Pick<Caller, 'key'>,
  file: string,
  given: unknown,
): Promise<string> {
  allowRight(caller, takes.getModel)
  const { sha256 } = validate(hash, given, needs.sizes.textCharacters) as z.output<typeof hash>
  const add = () => needs.localModels.add(file, sha256 ?? null)
  return recorded(needs, caller, { what: 'getModel', on: '' }, add)
}

const hash = modelsOperations.getModel.body.pick({ sha256: true })
