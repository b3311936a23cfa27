// Creating, changing and deleting personas.
import type { z } from 'zod'
import type { Admin } from '../../contract/admin-api.ts'
import type { sharing as sharingFields } from '../../contract/persona-fields.ts'
import { type ChatSettings, wrongChatSettings } from '../../domain/chat-model.ts'
import { AppError } from '../../domain/errors.ts'
import { newNumber } from '../../domain/id.ts'
import type { Persona, PersonaChanges } from '../../domain/persona.ts'
import { type Sharing, unshared } from '../../domain/sharing.ts'
import { sees } from '../access.ts'
import type { AdminNeeds } from '../needs.ts'
import { noPersona, personaNamed } from './find.ts'
import { presentPersona } from './present.ts'

type ModelFields = NonNullable<Parameters<Admin['createPersona']>[0]['model']>
type SharingFields = z.output<typeof sharingFields>
type Commands = Pick<Admin, 'createPersona' | 'listPersonas' | 'getPersona' | 'changePersona' | 'deletePersona'>

export function adminPersonas(needs: AdminNeeds): Commands {
  const { store } = needs
  return {
    async createPersona({
      domain_name,
      name,
      picture,
      threshold,
      instructions,
      model,
      requires_source_name,
      owner,
      sharing,
    }) {
      const persona: Persona = {
        id: newNumber(),
        domainName: domain_name,
        name,
        picture: picture ?? null,
        threshold: threshold ?? 0,
        instructions: instructions ?? '',
        model: model ? chatSettings(model, null) : null,
        requiresSourceName: requires_source_name === true,
        owner: {
          name: owner?.name ?? '',
          email: owner?.email ?? '',
          picture: owner?.picture ?? '',
          identityId: newNumber(),
        },
        calibration: null,
        sharing: { ...unshared, ...sharingOf(sharing as SharingFields) },
        createdAt: new Date(),
      }
      await store.personas.create(persona)
      return presentPersona(persona)
    },

    async listPersonas() {
      const theirs = (await store.personas.list()).filter(({ id }) => sees(needs.caller, id))
      return { personas: theirs.map(presentPersona) }
    },

    async getPersona({ domain_name }) {
      return presentPersona(await personaNamed(needs, domain_name))
    },

    async changePersona({ domain_name, model, requires_source_name, sharing, ...changes }) {
      const { id, model: before } = await personaNamed(needs, domain_name)
      if (changes.picture === '') changes.picture = null
      const changed = await store.personas.update(id, {
        ...(given(changes) as PersonaChanges),
        ...(sharing && { sharing: sharingOf(sharing as SharingFields) }),
        ...(model !== undefined && { model: model && chatSettings(model, before) }),
        ...(requires_source_name !== undefined && { requiresSourceName: requires_source_name === true }),
      })
      if (!changed) throw noPersona(domain_name)
      return presentPersona(changed)
    },

    async deletePersona({ domain_name }) {
      const { id } = await personaNamed(needs, domain_name)
      const deleted = await store.personas.remove(id)
      if (!deleted) throw noPersona(domain_name)
      return { deleted }
    },
  }
}

// A key is not sent along when something else is changed, and never goes to an address it was not given for.
export function chatSettings(model: ModelFields, before: ChatSettings | null): ChatSettings {
  const { provider = 'openai-compatible', name } = model
  const url = model.url || null
  const isSameServer = before !== null && before.provider === provider && before.url === url
  const key = model.key === undefined && isSameServer ? before.key : model.key || null
  const settings = { provider, url, name, key, prices: model.prices ?? null }
  const wrong = wrongChatSettings(settings)
  if (wrong) throw new AppError('invalid', `model.${wrong.field} ${wrong.is}.`)
  return settings
}

function sharingOf(fields: SharingFields = {}): Partial<Sharing> {
  const { on, origins, show_sources, default_message } = fields
  return given({
    isOn: on,
    origins,
    showsSources: show_sources,
    defaultMessage: default_message === undefined ? undefined : default_message.trim() || unshared.defaultMessage,
  })
}

const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
