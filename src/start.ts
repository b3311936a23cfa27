// Joins everything, in starting order; the only file that sees both sides of the sockets.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { destination, type Logger, pino } from 'pino'
import { type App, createApp } from './app/app.ts'
import { type Config, ConfigError, databaseFile } from './config.ts'
import { AppError } from './domain/errors.ts'
import { createExtractor } from './extract/extractor.ts'
import { createMetrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { spoolFolder } from './http/spool.ts'
import { startWorker } from './learn/worker.ts'
import { type ChatModels, createChatModels } from './models/chat-models.ts'
import { createEmbedder } from './models/embedder.ts'
import { createEndpointEmbedder } from './models/embedder-endpoint.ts'
import { createReader } from './models/reader.ts'
import { verifyWeights } from './models/verify-weights.ts'
import type { Embedder, Reader } from './ports/models.ts'
import type { Store } from './ports/store.ts'
import { createIndexCache } from './recall/index/cache.ts'
import { traces } from './recall/index/trace.ts'
import { createRerank } from './recall/rerank.ts'
import { type Moved, move, type OnProgress } from './store/move.ts'
import { postgresEnd } from './store/postgres/end.ts'
import { openPostgres } from './store/postgres/open.ts'
import { sqliteEnd } from './store/sqlite/end.ts'
import { openSqlite } from './store/sqlite/open.ts'
import { lockFolder } from './store/sqlite/served.ts'
import { createFetcher } from './web/fetch.ts'
import { createWebSearch } from './web/search.ts'
import { createWebhooks } from './web/webhooks/post.ts'
import { type Sender, startSender } from './web/webhooks/sender.ts'

// The house without its doors: what the command line works on when it works in process.
export type Rooms = {
  app: App
  store: Store
  chatModels: Pick<ChatModels, 'states' | 'outcomes'>
  log: Logger
  learned(): Promise<void>
  deliveries: Sender['counts']
  close(): Promise<void>
}

// Benchmarks put a slower disk, kept vectors or a watched reader in their places.
export type RoomsOptions = {
  openStore?: (file: string) => Promise<Store>
  embedder?: Embedder
  reader?: Reader
}

export async function openRooms(config: Config, options: RoomsOptions = {}): Promise<Rooms> {
  const log = pino({ level: config.logLevel, base: null }, destination({ dest: 2, sync: config.logLevel === 'silent' }))
  usable('MEMOIR_DATA', config.dataFolder, makePrivate)
  const store = await openStore(config, options)
  const extractor = createExtractor({ onBroken: (stack) => log.warn({ stack }, 'a parser stumbled') })
  const fetcher = createFetcher({ allowPrivate: config.allowPrivateUrls })
  const embedder =
    options.embedder ?? (config.embedding ? await createEndpointEmbedder(config.embedding) : createEmbedder())
  const reader = options.reader ?? (config.reader ? createReader() : undefined)
  const indexes = createIndexCache({ store, embedder }, config.recallMemoryMib)
  const worker =
    config.role === 'serve'
      ? undefined
      : startWorker({
          store,
          extractor,
          embedderName: embedder.name,
          traces: (memories, options) => traces({ embedder }, memories, options),
          onTrouble: (err) => log.error({ err }, 'learning'),
        })
  if (worker) store.work.onAnnounced(worker.wake)
  const webhooks = createWebhooks({ allowPrivate: config.allowPrivateUrls })
  const sender =
    config.role === 'serve'
      ? undefined
      : startSender({ store, webhooks, onTrouble: (err) => log.error({ err }, 'delivering') })
  if (sender) store.outbox.onWritten(sender.wake)
  const webSearch =
    config.searchUrl === undefined
      ? undefined
      : createWebSearch(config.searchUrl, (err) => log.warn({ err }, 'web search'))
  const chatModels = openChatModels(config, log)
  const app = createApp({
    store,
    extractor,
    fetcher,
    embedder,
    reader,
    rerank: reader && createRerank(reader),
    voiceOf: chatModels.voiceOf,
    indexes,
    webSearch,
    webhooks,
    sizes: config.sizes,
    keys: config.keys,
    onTrouble: (err) => log.warn({ err }, 'a model failed'),
    onAccepted() {
      worker?.wake()
      store.work.announce()
    },
  })
  return {
    app,
    store,
    chatModels,
    log,
    learned: async () => worker?.idle(),
    deliveries: () => sender?.counts() ?? { sent: 0, failed: 0 },
    async close() {
      chatModels.close()
      await fetcher.close()
      await sender?.stop()
      await worker?.stop()
      await extractor.close()
      await embedder.close()
      await reader?.close()
      await store.close()
    },
  }
}

const openChatModels = (config: Config, log: Logger): ChatModels =>
  createChatModels(
    config.chat,
    {
      timeoutMs: config.chatTimeoutMs,
      firstTokenMs: config.chatFirstTokenMs,
      contextTokens: config.chatContextTokens,
      restMs: config.chatRestMs,
      atOnce: config.chatAtOnce,
    },
    (model, state) => log.info({ model, state }, 'chat model'),
  )

const openStore = (config: Config, options: RoomsOptions): Promise<Store> => {
  if (options.openStore) return options.openStore(databaseFile(config))
  return config.databaseUrl === undefined
    ? openSqlite(databaseFile(config))
    : openPostgres(config.databaseUrl).catch(notThere(config.databaseUrl))
}

// At the start it is the setting that may be wrong, not the moment. The URL holds a password, so only its host is told.
const notThere = (url: string) => (error: unknown) => {
  // One that answers with a reason of its own (a move was broken off) has no cause below.
  if (!(error instanceof AppError && error.code === 'unavailable' && error.cause)) throw error
  const why = (error.cause as Error).message || 'no answer'
  throw new ConfigError(
    `MEMOIR_DATABASE_URL cannot be used: no database answers at ${new URL(url).host} (${why}). ` +
      'Start it, or correct the setting.',
  )
}

const endOf = (config: Config) =>
  config.databaseUrl === undefined ? sqliteEnd(databaseFile(config)) : postgresEnd(config.databaseUrl)

// Everything, from the store of one configuration to that of another.
export async function moveStore(from: Config, to: Config, onProgress: OnProgress): Promise<Moved[]> {
  if (to.databaseUrl === undefined) usable('MEMOIR_DATA', to.dataFolder, makeFolder)
  const source = await endOf(from)
  const target = await endOf(to).catch(async (error) => {
    await source.close()
    throw error
  })
  return move(source, target, onProgress).finally(() => Promise.all([source.close(), target.close()]))
}

export type Running = {
  url: string
  app: App
  store: Store
  server: FastifyInstance
  learned(): Promise<void> // resolves when nothing accepted waits any more
  close(): Promise<void>
}

export async function start(config: Config, options: RoomsOptions = {}): Promise<Running> {
  const tls = config.tls && {
    cert: usable('MEMOIR_TLS_CERT', config.tls.certFile, (file) => readFileSync(file)),
    key: usable('MEMOIR_TLS_KEY', config.tls.keyFile, (file) => readFileSync(file)),
  }
  await verifyOnce()
  const letGo = usable('MEMOIR_DATA', config.dataFolder, (folder) => lockFor(config, folder))
  const rooms = await openRooms(config, options).catch((error) => {
    letGo()
    throw error
  })
  const close = async () => {
    await rooms.close()
    letGo()
  }
  try {
    return await openDoors(config, { ...rooms, close }, tls)
  } catch (error) {
    await close()
    throw error
  }
}

// Of many services in one process the first looks.
let verified: Promise<void> | undefined
const verifyOnce = () => (verified ??= verifyWeights())

type Tls = { cert: Buffer; key: Buffer } | undefined

async function openDoors(config: Config, rooms: Rooms, tls: Tls): Promise<Running> {
  const tempFolder = usable('MEMOIR_DATA', join(config.dataFolder, 'uploads'), (folder) => {
    makeFolder(folder)
    return spoolFolder(folder)
  })
  let stopping = false
  const server = await createServer({
    app: rooms.app,
    doors: config.role === 'learn' ? 'health only' : 'all',
    allowances: rooms.store.allowances,
    sizes: config.sizes,
    requestsPerMinute: config.requestsPerMinute,
    log: rooms.log,
    metrics: createMetrics({ ...rooms, chat: rooms.chatModels }),
    corsOrigins: config.corsOrigins,
    tls,
    trustProxy: config.behindProxy,
    tempFolder,
    chatModels: rooms.chatModels.states,
    whatIsWrong: async () => (stopping ? 'The service is stopping.' : silenceOf(rooms.store)),
  })
  await server.listen({ port: config.port, host: config.host }).catch(async (error) => {
    await server.close()
    throw error
  })
  const { port } = server.server.address() as AddressInfo
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  return {
    url: `${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    app: rooms.app,
    store: rooms.store,
    server,
    learned: rooms.learned,
    async close() {
      stopping = true
      await server.close()
      await rooms.close()
    },
  }
}

// Why the store does not answer; null where it does.
const silenceOf = (store: Store): Promise<string | null> =>
  store.ping().then(
    () => null,
    (error) => (error instanceof AppError ? error.message : 'The store does not answer.'),
  )

// Node's own recursive mkdir never returns where a folder takes no entries, as below /proc.
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

// Also where it existed: whoever made it may have been careless.
function makePrivate(folder: string): void {
  makeFolder(folder)
  chmodSync(folder, 0o700)
}

// Processes that share a database server share a folder, too; a store in the folder is served by one.
function lockFor({ databaseUrl, role }: Config, folder: string): () => void {
  makePrivate(folder)
  if (databaseUrl !== undefined || role === 'learn') return () => {}
  const letGo = lockFolder(folder)
  if (!letGo) throw new Error('another process serves this folder')
  return letGo
}

// Whoever set it is told which setting is wrong, and why.
function usable<T>(setting: string, path: string, use: (path: string) => T): T {
  try {
    return use(path)
  } catch (error) {
    throw new ConfigError(`${setting}=${path} cannot be used: ${(error as Error).message}.`)
  }
}
