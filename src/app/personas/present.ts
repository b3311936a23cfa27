// A persona as its owner sees it.
import type { z } from 'zod'
import type { PersonaAnswer } from '../../contract/admin-answers.ts'
import type { Persona } from '../../domain/persona.ts'

export const presentPersona = (persona: Persona): z.output<typeof PersonaAnswer> => ({
  domain_name: persona.domainName,
  name: persona.name,
  picture: persona.picture,
  threshold: persona.threshold,
  instructions: persona.instructions,
  model: persona.model && {
    provider: persona.model.provider,
    url: persona.model.url,
    name: persona.model.name,
    has_key: persona.model.key !== null,
    prices: persona.model.prices ?? null,
  },
  requires_source_name: persona.requiresSourceName,
  owner: { name: persona.owner.name, email: persona.owner.email, picture: persona.owner.picture },
  sharing: {
    on: persona.sharing.isOn,
    origins: persona.sharing.origins,
    show_sources: persona.sharing.showsSources,
    default_message: persona.sharing.defaultMessage,
  },
  created_at: persona.createdAt.toISOString(),
})
