// The owner has a persona follow feeds and sites.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { type FollowedSource, parseEvery, type SourceChanges } from '../../domain/followed-source.ts'
import { newId } from '../../domain/id.ts'
import { limits } from '../../domain/limits.ts'
import type { AdminNeeds } from '../needs.ts'
import { personaNamed } from '../personas/find.ts'
import { presentSource } from './present.ts'

type Commands = Pick<
  Admin,
  'createSource' | 'listSources' | 'getSource' | 'changeSource' | 'deleteSource' | 'lookAtSource'
>

const noSource = () => new AppError('not_found', 'This persona follows no source with that id.')

export function adminSources(needs: AdminNeeds): Commands {
  const { sources } = needs.store
  return {
    async createSource({ domain_name, url, kind, every }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      await needs.fetcher.check(url)
      const source = newSource(personaId, addressOf(url), { kind: kind ?? null, everyMs: everyMsOf(every) ?? null })
      await sources.create(source)
      needs.onFollowed()
      return presentSource(source)
    },

    async listSources({ domain_name }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      return { sources: (await sources.list(personaId)).map(presentSource) }
    },

    async getSource({ domain_name, id }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      const found = await sources.get(personaId, id)
      if (!found) throw noSource()
      return presentSource(found)
    },

    async changeSource({ domain_name, id, kind, every, is_on }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      const changes: SourceChanges = {
        ...(kind !== undefined && { kind }),
        ...(every !== undefined && { everyMs: everyMsOf(every)! }),
        ...(is_on !== undefined && { isOn: is_on === true }),
      }
      const changed = await sources.update(personaId, id, changes, new Date())
      if (!changed) throw noSource()
      needs.onFollowed()
      return presentSource(changed)
    },

    async deleteSource({ domain_name, id }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      if (!(await sources.remove(personaId, id))) throw noSource()
      return { deleted: id }
    },

    async lookAtSource({ domain_name, id }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      const found = await sources.get(personaId, id)
      if (!found) throw noSource()
      if (!found.isOn) throw new AppError('conflict', 'The source is switched off: switch it on, and it is looked at.')
      const hastened = await sources.hasten(personaId, id, new Date())
      if (!hastened) throw noSource()
      needs.onFollowed()
      return presentSource(hastened)
    },
  }
}

// As it is fetched, so that one address is followed once.
function addressOf(url: string): string {
  const address = new URL(url.trim())
  address.hash = ''
  if (address.href.length > limits.sourceUrlCharacters)
    throw new AppError('invalid', `url is longer than ${limits.sourceUrlCharacters} characters.`)
  return address.href
}

const everyMsOf = (every: string | undefined): number | undefined =>
  every === undefined ? undefined : parseEvery(every)

function newSource(personaId: number, url: string, more: Pick<FollowedSource, 'kind' | 'everyMs'>): FollowedSource {
  const now = new Date()
  return {
    personaId,
    id: newId(),
    url,
    ...more,
    title: '',
    isOn: true,
    offReason: null,
    failures: 0,
    error: null,
    dueAt: now,
    look: 0,
    lookBegan: null,
    pagesDone: 0,
    pagesOf: 0,
    etag: null,
    lastModified: null,
    lookedAt: null,
    account: null,
    createdAt: now,
    updatedAt: now,
  }
}
