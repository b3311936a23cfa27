// The app: the public operations for a caller, the owner's commands, and nothing a door would have to know.
import type { Admin } from '../contract/admin-api.ts'
import type { PublicName, Service } from '../contract/public-api.ts'
import type { Key } from '../domain/access.ts'
import type { Persona } from '../domain/persona.ts'
import type { FileOnDisk } from '../ports/collections.ts'
import { allowRight, type Caller, identify, sees } from './access.ts'
import { createAdmin } from './admin.ts'
import { record } from './audit/record.ts'
import { takeBackup } from './backups/admin.ts'
import { createEvents, type Listener } from './documents/events.ts'
import { learnFile, type TakenIn } from './documents/learn-file.ts'
import { addModelFile } from './models/admin.ts'
import type { AdminCaller, Needs } from './needs.ts'
import { compose } from './notices/compose.ts'
import { createDoor, type Door } from './people/door.ts'
import { takes } from './rights.ts'
import { type Call, createCall, createService } from './service.ts'
import { exportCaller, exportPersona } from './transfers/export.ts'
import { type Imported, importPersona } from './transfers/import.ts'
import { createVisit, sharedPersona, type Visit, type Visitor } from './visitors/visit.ts'

export type App = {
  // The caller behind a key; undefined when there is none.
  identify(keyText: string | undefined): Promise<Key | undefined>
  as(caller: Caller): Service
  // One of these calls; a list that may be long comes a few entries at a time.
  inTurn(caller: Caller, name: PublicName): Call
  // The persona behind a page for visitors; AppError('not_found') where there is none, or it is not shared.
  shared(domainName: string): Promise<Persona>
  visit(persona: Persona, visitor: Visitor): Visit
  // For the admin key, the owner of the data folder, and people by their role; refused command by command.
  admin(caller: AdminCaller): Admin
  // Writes down what was done beside the operations: a sign-in, a start.
  record(who: { key: Pick<Key, 'id' | 'admin'>; from: string }, what: string, outcome?: string): Promise<void>
  // For the owner, too: everything, as the parts of one file.
  backup(caller: Pick<Caller, 'key'>, fields: unknown): AsyncIterable<Uint8Array>
  // A persona, or what a caller said, as a file; and a persona from one.
  exportPersona(caller: Pick<Caller, 'key'>, fields: unknown): Promise<AsyncIterable<Uint8Array>>
  exportCaller(caller: Pick<Caller, 'key'>, fields: unknown): Promise<AsyncIterable<Uint8Array>>
  importPersona(caller: Pick<Caller, 'key'>, file: FileOnDisk, fields: unknown): Promise<Imported>
  // A chat model from a file of this machine; resolves to its name.
  addModelFile(caller: Pick<Caller, 'key'>, file: string, fields: unknown): Promise<string>
  // Any file, for the owner: a document, or a collection of them.
  learnFile(caller: AdminCaller, file: FileOnDisk, fields: unknown): Promise<TakenIn>
  // Tells of every step of learning of the caller's personas from now on; the returned function ends it.
  follow(caller: Pick<Caller, 'key'>, listener: Listener): () => void
  // Signing in to the console.
  door: Door
  // What somebody is told; undefined where nothing of it waits any more.
  compose(claim: Parameters<typeof compose>[1]): ReturnType<typeof compose>
}

export function createApp(needs: Needs): App {
  const { store } = needs
  const events = createEvents(store)
  return {
    door: createDoor(needs),
    compose: (claim) => compose({ ...needs, ...needs.notices }, claim),
    identify: (keyText) => identify(store, keyText),
    as: (caller) => createService(needs, caller),
    inTurn: (caller, name) => createCall(needs, caller, name),
    shared: (domainName) => sharedPersona(needs, domainName),
    visit: (persona, visitor) => createVisit(needs, persona, visitor),
    admin: (caller) => createAdmin(needs, caller),
    backup: (caller, fields) => takeBackup(needs, caller, fields),
    record: (who, what, outcome = 'done') => record(needs, who, { what, on: '', outcome }),
    exportPersona: (caller, fields) => exportPersona(needs, caller, fields),
    exportCaller: (caller, fields) => exportCaller(needs, caller, fields),
    importPersona: (caller, file, fields) => importPersona(needs, caller, file, fields),
    addModelFile: (caller, file, fields) => addModelFile(needs, caller, file, fields),
    learnFile: (caller, file, fields) => learnFile(needs, caller, file, fields),
    follow(caller, listener) {
      allowRight(caller, takes.events)
      return events.follow((event, personaId) => sees(caller, personaId) && listener(event))
    },
  }
}
