// Where commands work: in process on the data folder, or on the service at MEMOIR_URL.
import { createReadStream, existsSync } from 'node:fs'
import type { TakenIn } from '../app/documents/learn-file.ts'
import type { Imported } from '../app/transfers/import.ts'
import { databaseFile, type Environment, readConfig } from '../config.ts'
import type { Admin } from '../contract/admin-api.ts'
import { createAdminClient, createClient, download, type Remote, upload } from '../contract/client.ts'
import { keepOperations } from '../contract/keep-api.ts'
import type { Service } from '../contract/public-api.ts'
import { ownerKey } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import { newId } from '../domain/id.ts'

export type Connection = {
  // `onDocument` is told the id of each document that a call stored.
  service(call?: Call): Service
  admin: Admin
  url: string // where the service is, or would be, for links
  files: Files
  // False when nobody here may look at the work: a remote service without an admin key.
  seesWork: boolean
  close(): Promise<void>
}

export type Call = { requestId?: string; onDocument?: (documentId: string) => void }

// Files that go out and come in.
export type Files = {
  exportPersona(fields: object): Promise<AsyncIterable<Uint8Array>>
  exportCaller(fields: object): Promise<AsyncIterable<Uint8Array>>
  importPersona(path: string, fields: object): Promise<Imported>
  addModel(path: string, fields: object): Promise<string>
  learnFile(path: string, fields: object): Promise<TakenIn>
}

// Runs a command against the service, then lets go of it.
export type Run = (command: (connection: Connection) => Promise<void>) => Promise<void>

export async function connect(env: Environment): Promise<Connection> {
  const url = env.MEMOIR_URL?.trim()
  return url ? remotely(env, url) : inProcess(env)
}

export const downloadBackup = (env: Environment, url: string, fields: object): AsyncIterable<Uint8Array> =>
  download(adminRemote(env, url), keepOperations.backup, fields)

// The service of another machine, with the key its owner's commands take.
function adminRemote(env: Environment, url: string): Remote {
  const key = env.MEMOIR_ADMIN_KEY?.trim() || env.MEMOIR_KEY?.trim()
  if (!key) throw new AppError('invalid', 'MEMOIR_URL is set, so MEMOIR_KEY must hold the admin key of that service.')
  return { url, key }
}

function remotely(env: Environment, url: string): Connection {
  const key = env.MEMOIR_KEY?.trim() || env.MEMOIR_ADMIN_KEY?.trim()
  if (!key)
    throw new AppError(
      'invalid',
      'MEMOIR_URL is set, so MEMOIR_KEY must hold a key for that service: its admin key for every command, ' +
        'or the key of a persona for ask, remember, learn and history.',
    )
  const isOwner = isAdminKey(key)
  const adminKey = env.MEMOIR_ADMIN_KEY?.trim() || (isOwner ? key : undefined)
  return {
    service: (call = {}) => createClient({ url, key, isOwner, ...call }),
    admin: createAdminClient({ url, key: adminKey ?? key }),
    url: url.replace(/\/$/, ''),
    files: createFiles({ url, key: adminKey ?? key }),
    seesWork: adminKey !== undefined,
    close: async () => {},
  }
}

// The keys of personas are always made by Memoir; an owner may have chosen the admin key.
const isAdminKey = (key: string): boolean => !key.startsWith('memoir_') || key.startsWith('memoir_admin_')

const createFiles = (remote: Remote): Files => ({
  exportPersona: async (fields) => download(remote, keepOperations.exportPersona, fields),
  exportCaller: async (fields) => download(remote, keepOperations.exportCaller, fields),
  addModel: () =>
    Promise.reject(
      new AppError('invalid', "A file is added on the service's own machine: run this there, without MEMOIR_URL."),
    ),
  importPersona: (path, fields) => upload(remote, keepOperations.importPersona, fields, createReadStream(path)),
  learnFile: (path, fields) => upload(remote, keepOperations.learnFile, fields, createReadStream(path)),
})

async function inProcess(env: Environment): Promise<Connection> {
  // Loaded only here: a command for a remote service starts without the house.
  const { openRooms } = await import('../start.ts')
  // The service's log is not what someone at a prompt came for.
  const config = readConfig({ ...env, MEMOIR_LOG: env.MEMOIR_LOG ?? 'error' })
  const isNew = config.databaseUrl === undefined && !existsSync(databaseFile(config))
  const rooms = await openRooms(config)
  if (isNew)
    console.error(
      `${config.dataFolder} held nothing, so a new store is made there. ` +
        'MEMOIR_DATA names another folder, MEMOIR_URL a service that runs.',
    )
  return {
    service: (call) => rooms.app.as({ key: ownerKey, requestId: 'command-line', ...call }),
    admin: rooms.app.admin({ key: ownerKey, requestId: 'command-line' }),
    url: `${config.tls ? 'https' : 'http'}://localhost:${config.port}`,
    files: {
      exportPersona: (fields) => rooms.app.exportPersona({ key: ownerKey }, fields),
      exportCaller: (fields) => rooms.app.exportCaller({ key: ownerKey }, fields),
      addModel: (path, fields) => rooms.app.addModelFile({ key: ownerKey }, path, fields),
      importPersona: (path, fields) => rooms.app.importPersona({ key: ownerKey }, { path }, fields),
      learnFile: (path, fields) => rooms.app.learnFile({ key: ownerKey, requestId: newId() }, { path }, fields),
    },
    seesWork: true,
    close: rooms.close,
  }
}
