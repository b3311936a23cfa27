// What a persona was given: looked at, retried, published, deleted.
import type { Admin } from '../../contract/admin-api.ts'
import { limits as contractLimits } from '../../contract/limits.ts'
import type { Document, Unpacked } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { parseTime } from '../../domain/time.ts'
import { isOwner } from '../access.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf, timesOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { listed } from './new-document.ts'
import { presentDocument } from './present.ts'

type Commands = Pick<
  Admin,
  | 'work'
  | 'listDocuments'
  | 'changeDocument'
  | 'readFile'
  | 'getDocument'
  | 'retryDocument'
  | 'publishDocument'
  | 'deleteDocument'
  | 'listRevisions'
>

const unpackedOf = ({ kind, rawText }: Document): Unpacked | null =>
  kind === 'collection' && rawText !== null ? JSON.parse(rawText) : null

export function adminDocuments(needs: AdminNeeds): Commands {
  const { store } = needs
  const found = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new AppError('not_found', 'This persona has no document with that id.')
    return thing
  }

  return {
    work: () => store.work.counts(isOwner(needs.caller.key) ? '*' : needs.caller.key.personas),

    async listDocuments({ domain_name, request_id, limit, before, draft, since, until, ...filter }) {
      const persona = await personaNamed(needs, domain_name)
      const page = { ...pageOf({ limit, before }), ...timesOf({ since, until }) }
      const isDraft = draft as boolean | undefined
      const documents = await store.documents.list(persona.id, { ...page, ...filter, isDraft, requestId: request_id })
      return { documents: documents.map(presentDocument), next: nextOf(documents, page.limit) }
    },

    async getDocument({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      const document = found(await store.documents.get(persona.id, id))
      return { ...presentDocument(listed(document)), text: document.text, unpacked: unpackedOf(document) }
    },

    async changeDocument({ domain_name, id, title, tags, source_name, start_time }) {
      const persona = await personaNamed(needs, domain_name)
      const changes = {
        ...(title !== undefined && { title }),
        ...(tags !== undefined && { tags: tags as string[] }),
        ...(source_name !== undefined && { sourceName: source_name }),
        ...(start_time !== undefined && { startTime: parseTime(start_time)! }),
      }
      const document = found(await store.documents.describe(persona.id, id, changes))
      if (start_time !== undefined) needs.onAccepted()
      return presentDocument(listed(document))
    },

    async readFile({ domain_name, id, from }) {
      const persona = await personaNamed(needs, domain_name)
      const document = found(await store.documents.get(persona.id, id))
      const first = Number(from)
      const pieces = await store.documents.pieces(persona.id, id, first, contractLimits.filePieces)
      if (document.fileBytes === 0) throw new AppError('not_found', 'This document came without a file.')
      return {
        file_name: document.fileName,
        media_type: document.mediaType,
        file_bytes: document.fileBytes,
        base64: Buffer.concat(pieces).toString('base64'),
        next: pieces.length < contractLimits.filePieces ? null : first + pieces.length,
      }
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
