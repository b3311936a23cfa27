// What a persona was given, what it made of it, what was said: looked at, retried, published, deleted.
import type { Admin } from '../contract/admin-api.ts'
import { AppError } from '../domain/errors.ts'
import { limits } from '../domain/limits.ts'
import { type AdminNeeds, nextOf, personaNamed } from './admin.ts'
import { presentDocument, presentMessage, presentRecollection, presentSession } from './present.ts'

type Commands = Pick<
  Admin,
  | 'work'
  | 'listDocuments'
  | 'getDocument'
  | 'retryDocument'
  | 'publishDocument'
  | 'deleteDocument'
  | 'listRevisions'
  | 'listMemories'
  | 'deleteMemory'
  | 'listSessions'
  | 'getSession'
>

export function adminDocuments(needs: AdminNeeds): Commands {
  const { store } = needs
  const found = <T>(thing: T | undefined, noun: string): T => {
    if (thing === undefined) throw new AppError('not_found', `This persona has no ${noun} with that id.`)
    return thing
  }
  const pageOf = (fields: { limit?: unknown; before?: string | undefined }) => ({
    limit: Number(fields.limit ?? limits.pageSizeDefault),
    before: fields.before,
  })

  return {
    work: () => store.work.counts(),

    async listDocuments({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const { limit, before } = pageOf(page)
      const documents = await Array.fromAsync(
        store.documents.listInTurn(persona.id, { limit, before }),
        presentDocument,
      )
      return { documents, next: nextOf(documents, limit) }
    },

    async getDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const document = found(await store.documents.get(persona.id, id), 'document')
      return { ...presentDocument(document), text: document.text }
    },

    async retryDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const document = found(await store.documents.retry(persona.id, id), 'document')
      needs.onAccepted()
      return presentDocument(document)
    },

    async publishDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      return presentDocument(found(await store.documents.publish(persona.id, id), 'document'))
    },

    async deleteDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      return { deleted: found(await store.documents.remove(persona.id, id), 'document') }
    },

    async listRevisions({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      found(await store.documents.get(persona.id, id), 'document')
      const revisions = await store.documents.revisions(persona.id, id, limits.revisionsPerList)
      return {
        revisions: revisions.map(({ revision, text, replacedAt }) => ({
          revision,
          text,
          replaced_at: replacedAt.toISOString(),
        })),
      }
    },

    async listMemories({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const { limit, before } = pageOf(page)
      const rows = await store.memories.list(persona.id, { limit, before })
      const memories = rows.map(presentRecollection)
      return { memories, next: nextOf(memories, limit) }
    },

    async deleteMemory({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      return { deleted: found(await store.memories.remove(persona.id, id), 'memory') }
    },

    async listSessions({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const { limit, before } = pageOf(page)
      const sessions = (await store.conversations.sessions(persona.id, { limit, before })).map(presentSession)
      return { sessions, next: nextOf(sessions, limit) }
    },

    async getSession({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const history = found(await store.conversations.history(persona.id, id), 'session')
      return { id, messages: history.map(presentMessage) }
    },
  }
}
