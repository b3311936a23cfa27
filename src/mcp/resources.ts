// Documents as resources: memoir://PERSONA/documents/ID.
import type { Service } from '../contract/public-api.ts'
import { domainNamePattern } from '../domain/persona.ts'
import { limits } from './limits.ts'

export const template = 'memoir://{persona}/documents/{id}'

const uriOf = (persona: string, id: string): string => `memoir://${persona}/documents/${encodeURIComponent(id)}`

export function documentOf(uri: string): { persona: string; id: string } | undefined {
  const [scheme, empty, persona = '', documents, id = '', ...rest] = uri.split('/')
  const isOurs = scheme === 'memoir:' && empty === '' && documents === 'documents' && rest.length === 0
  if (!isOurs || !domainNamePattern.test(persona) || id === '') return undefined
  try {
    return { persona, id: decodeURIComponent(id) }
  } catch {
    return undefined
  }
}

type Listed = { uri: string; name: string; title: string; mimeType: string; annotations: { lastModified: string } }

// Persona by persona, a page of one at a time. A key that may not read has none. A cursor is `PERSONA/BEFORE`.
export async function listResources(service: Service, cursor: string | undefined) {
  const { personas, scopes } = await service.personas({})
  if (!scopes.includes('read')) return { resources: [] }
  const [from = '', before = ''] = cursor?.split('/', 2) ?? []
  const names = personas.map(({ DomainName }) => DomainName).filter((name) => name >= from)
  for (const [at, DomainName] of names.slice(0, limits.personasPerPage).entries()) {
    const page = { limit: limits.documentsPerList, before: DomainName === from && before !== '' ? before : undefined }
    const { documents, next } = await service.documentList({}, { DomainName, ...page })
    const following = next === null ? names[at + 1] && `${names[at + 1]}/` : `${DomainName}/${next}`
    if (documents.length === 0) continue
    const resources = documents.map(
      ({ id, title, timestamp }): Listed => ({
        uri: uriOf(DomainName, id),
        name: title || id,
        title,
        mimeType: 'text/plain',
        annotations: { lastModified: timestamp },
      }),
    )
    return { resources, ...(following && { nextCursor: following }) }
  }
  const left = names[limits.personasPerPage]
  return { resources: [], ...(left && { nextCursor: `${left}/` }) }
}
