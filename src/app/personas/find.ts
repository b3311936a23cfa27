// A persona by the name its owner gave it.
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import type { Store } from '../../ports/store.ts'
import { type Caller, sees } from '../access.ts'

export const noPersona = (domainName: string): AppError =>
  new AppError('not_found', `There is no persona named ${domainName}.`)

// Whose persona it is not, it does not exist for.
export async function personaNamed(
  { store, caller }: { store: Store; caller: Pick<Caller, 'key'> },
  domainName: string,
): Promise<Persona> {
  const persona = await store.personas.byDomainName(domainName)
  if (!persona || !sees(caller, persona.id)) throw noPersona(domainName)
  return persona
}
