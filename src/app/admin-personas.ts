// Creating, changing and deleting personas.
import type { Admin } from '../contract/admin-api.ts'
import { AppError } from '../domain/errors.ts'
import { newNumber } from '../domain/id.ts'
import type { Persona, PersonaChanges } from '../domain/persona.ts'
import { type AdminNeeds, personaNamed } from './admin.ts'
import { presentPersona } from './present.ts'

type Commands = Pick<Admin, 'createPersona' | 'listPersonas' | 'getPersona' | 'changePersona' | 'deletePersona'>

export function adminPersonas(needs: AdminNeeds): Commands {
  const { store } = needs
  return {
    async createPersona({ domain_name, name, picture, threshold, instructions, owner }) {
      const persona: Persona = {
        id: newNumber(),
        domainName: domain_name,
        name,
        picture: picture ?? null,
        threshold: threshold ?? 0,
        instructions: instructions ?? '',
        owner: {
          name: owner?.name ?? '',
          email: owner?.email ?? '',
          picture: owner?.picture ?? '',
          identityId: newNumber(),
        },
        calibration: null,
        createdAt: new Date(),
      }
      await store.personas.create(persona)
      return presentPersona(persona)
    },

    async listPersonas() {
      return { personas: (await store.personas.list()).map(presentPersona) }
    },

    async getPersona({ domain_name }) {
      return presentPersona(await personaNamed(needs, domain_name))
    },

    async changePersona({ domain_name, ...changes }) {
      const { id } = await personaNamed(needs, domain_name)
      if (changes.picture === '') changes.picture = null
      const changed = await store.personas.update(id, given(changes) as PersonaChanges)
      if (!changed) throw new AppError('not_found', `There is no persona named ${domain_name}.`)
      return presentPersona(changed)
    },

    async deletePersona({ domain_name }) {
      const { id } = await personaNamed(needs, domain_name)
      const deleted = await store.personas.remove(id)
      if (!deleted) throw new AppError('not_found', `There is no persona named ${domain_name}.`)
      return { deleted }
    },
  }
}

const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
