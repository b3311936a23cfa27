// The app: the nine operations for a caller, the owner's commands, and nothing a door would have to know.
import type { Admin } from '../contract/admin-api.ts'
import type { Service, UploadedFile } from '../contract/service.ts'
import type { Key } from '../domain/access.ts'
import { type Caller, identify, identifyAgain } from './access.ts'
import { createAdmin } from './admin.ts'
import { conversationInTurn } from './conversations.ts'
import { documentsInTurn, updateDocument, uploadFile, uploadText, uploadUrl } from './documents.ts'
import { createEvents, type Events } from './events.ts'
import { memory } from './memories.ts'
import { instruction, message } from './messages.ts'
import type { Needs } from './needs.ts'

type Lists = {
  conversation(request: unknown): Promise<AsyncIterable<object>>
  documents(size: unknown, request: unknown): Promise<AsyncIterable<object>>
}

export type App = {
  // The caller behind a key; undefined when there is none.
  identify(keyText: string | undefined): Promise<Key | undefined>
  identifyAgain(key: Key): Promise<Key | undefined>
  as(caller: Caller): Service
  // The two answers that may be long, entry by entry.
  listsFor(caller: Caller): Lists
  admin(requestId: string): Admin
  events: Events
  ownerOf(key: Key): Promise<{ name: string; email: string }>
}

export function createApp(needs: Needs): App {
  const { store } = needs
  return {
    identify: (keyText) => identify(store, keyText),
    identifyAgain: (key) => identifyAgain(store, key),
    as: (caller) => ({
      message: (request, query) => message(needs, caller, request, query),
      instruction: (query, request) => instruction(needs, caller, query, request),
      uploadUrl: (request) => uploadUrl(needs, caller, request),
      uploadText: (request) => uploadText(needs, caller, request),
      uploadFile: (request, file: UploadedFile, domainName?: unknown) =>
        uploadFile(needs, caller, domainName, request, file),
      memory: (request) => memory(needs, caller, request),
      conversation: async (request) => Array.fromAsync(await conversationInTurn(needs, caller, request)),
      documents: async (size, request) => Array.fromAsync(await documentsInTurn(needs, caller, size, request)),
      updateDocument: (feedId, request) => updateDocument(needs, caller, feedId, request),
    }),
    listsFor: (caller) => ({
      conversation: (request) => conversationInTurn(needs, caller, request),
      documents: (size, request) => documentsInTurn(needs, caller, size, request),
    }),
    events: createEvents(store),
    admin: (requestId) => createAdmin({ ...needs, requestId }),
    // The owner of the key's default persona, else of its first.
    async ownerOf({ personas, defaultPersona }) {
      const id = defaultPersona ?? (personas === '*' ? undefined : personas[0])
      const persona = id === undefined ? undefined : await store.personas.byId(id)
      return { name: persona?.owner.name ?? '', email: persona?.owner.email ?? '' }
    },
  }
}
