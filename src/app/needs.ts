// What the app is given by start.ts.
import type { Sizes } from '../contract/limits.ts'
import type { Persona } from '../domain/persona.ts'
import type { Decision } from '../domain/reply.ts'
import type { Role } from '../domain/roles.ts'
import type { Collections } from '../ports/collections.ts'
import type { Extractor, Fetcher } from '../ports/extractor.ts'
import type { LocalModelFiles } from '../ports/local-models.ts'
import type { Embedder, Reader, Voice, VoiceState } from '../ports/models.ts'
import type { OpenId } from '../ports/open-id.ts'
import type { Pusher } from '../ports/post.ts'
import type { Store } from '../ports/store.ts'
import type { WebSearch } from '../ports/web-search.ts'
import type { Webhooks } from '../ports/webhooks.ts'
import type { IndexCache } from '../recall/index/cache.ts'
import type { Serving } from '../recall/reembedding.ts'
import type { Rerank } from '../recall/rerank.ts'
import type { Caller } from './access.ts'
import type { Backups } from './backups/schedule.ts'

export type Needs = {
  store: Store
  extractor: Extractor
  collections: Collections
  fetcher: Fetcher
  embedder: Embedder
  reader?: Reader | undefined
  rerank?: Rerank | undefined
  takeTurn(personaId: number, which: 'first' | 'later'): Promise<() => void> // at the embedder and the reader
  voiceOf(persona: Pick<Persona, 'id' | 'model'>): Voice
  voiceState(persona: Persona): VoiceState | null
  localModels: LocalModelFiles
  indexes: IndexCache
  servingOf?: ((personaId: number) => Serving | undefined) | undefined
  toEmbed?: ((personaId: number) => number) | undefined // memories without a vector of the embedder
  webSearch?: WebSearch | undefined
  webhooks: Pick<Webhooks, 'check'>
  openId?: OpenId | undefined
  openIdRole?: Role | undefined // of accounts made for whoever comes through it; undefined: none are
  backups?: Backups | undefined // where the service makes them by itself
  disk: { freeBytes(): Promise<number>; leastBytes: number } // of the data folder; with less it counts as full
  notices: { isMailSet: boolean; publicUrl: string | undefined; publicKey: Pusher['publicKey'] }
  backupPassphrase?: string | undefined
  sizes: Sizes
  keys: { legacyByDefault: boolean; invites: boolean }
  // Told of a model that failed where the caller is answered all the same.
  onTrouble(error: unknown): void
  // Told what became of each reply.
  onReplied(decision: Decision): void
  // Called after a document was accepted, so that it is learned at once and not at the next look.
  onAccepted(): void
  // Called after something was to be followed, or to be looked at, so that it is at once.
  onFollowed(): void
}

// An owner's command also knows which request it belongs to, and who asks.
export type AdminNeeds = Needs & { requestId: string; caller: AdminCaller }

export type AdminCaller = Pick<Caller, 'key' | 'requestId' | 'from' | 'signInId' | 'site'>
