// A persona by the name its owner gave it.
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Store } from '../../ports/store.ts'

export const noPersona = (domainName: string): AppError =>
  new AppError('not_found', `There is no persona named ${domainName}.`)

export async function personaNamed({ store }: { store: Store }, domainName: string): Promise<Persona> {
  const persona = await store.personas.byDomainName(domainName)
  if (!persona) throw noPersona(domainName)
  return persona
}
