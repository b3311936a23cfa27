// What a persona was given: looked at, retried, published, deleted.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { listed } from './new-document.ts'
import { presentDocument } from './present.ts'

type Commands = Pick<
  Admin,
  'work' | 'listDocuments' | 'getDocument' | 'retryDocument' | 'publishDocument' | 'deleteDocument' | 'listRevisions'
>

export function adminDocuments(needs: AdminNeeds): Commands {
  const { store } = needs
  const found = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new AppError('not_found', 'This persona has no document with that id.')
    return thing
  }

  return {
    work: () => store.work.counts(),

    async listDocuments({ domain_name, request_id, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const documents = await store.documents.list(persona.id, { ...pageOf(page), requestId: request_id })
      return { documents: documents.map(presentDocument), next: nextOf(documents, Number(page.limit)) }
    },

    async getDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const document = found(await store.documents.get(persona.id, id))
      return { ...presentDocument(listed(document)), text: document.text }
    },

    async retryDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const document = found(await store.documents.retry(persona.id, id))
      needs.onAccepted()
      return presentDocument(listed(document))
    },

    async publishDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      return presentDocument(listed(found(await store.documents.publish(persona.id, id))))
    },

    async deleteDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      return { deleted: found(await store.documents.remove(persona.id, id)) }
    },

    async listRevisions({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      found(await store.documents.get(persona.id, id))
      const revisions = await store.documents.revisions(persona.id, id, limits.revisionsPerList)
      return {
        revisions: revisions.map(({ revision, text, replacedAt }) => ({
          revision,
          text,
          replaced_at: replacedAt.toISOString(),
        })),
      }
    },
  }
}
