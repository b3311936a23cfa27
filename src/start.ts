// Joins everything, in starting order; the only file that sees both sides of the sockets.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { destination, type Logger, pino } from 'pino'
import { type App, createApp } from './app/app.ts'
import { type Backups, scheduleBackups } from './app/backups/schedule.ts'
import { findScorerSince, outdatedScores } from './app/replies/scorer.ts'
import { passphraseOf } from './back-up.ts'
import { startBackground } from './background.ts'
import { type Config, ConfigError, databaseFile } from './config.ts'
import { AppError } from './domain/errors.ts'
import type { Decision } from './domain/reply.ts'
import { createCollections } from './extract/collections/collections.ts'
import { createExtractor } from './extract/extractor.ts'
import { missingLanguages } from './extract/ocr.ts'
import { diskOf, makeFolder, makePrivate, usable } from './folders.ts'
import { limits } from './http/limits.ts'
import { createMetrics, type MetricsNeeds } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { spoolFolder } from './http/spool.ts'
import type { ChatModels } from './models/chat-models.ts'
import { createTranscriber } from './models/transcriber.ts'
import { verifyWeights } from './models/verify-weights.ts'
import { openIssuer } from './open-issuer.ts'
import { openChatModels, openModels, reembedAsNeeded } from './open-models.ts'
import type { Embedder, Reader } from './ports/models.ts'
import type { Store } from './ports/store.ts'
import { createIndexCache } from './recall/index/cache.ts'
import type { Reembedding } from './recall/reembedding.ts'
import { lockFolder } from './store/sqlite/served.ts'
import { openToldStore } from './stores.ts'
import { currentRequestId, currentTraceId, type Tracing } from './telemetry/scope.ts'
import { startTracing } from './telemetry/tracing.ts'
import { createFetcher } from './web/fetch.ts'
import { openPost } from './web/notices/post.ts'
import { createWebSearch } from './web/search.ts'
import { startSenders } from './web/senders.ts'
import { createWebhooks } from './web/webhooks/post.ts'
import type { SenderCounts } from './web/webhooks/sender.ts'

// The house without its doors: what the command line works on when it works in process.
export type Rooms = {
  app: App
  store: Store
  chatModels: Pick<ChatModels, 'states' | 'outcomes'>
  log: Logger
  tracing: Tracing | undefined
  backups: Backups | undefined
  learned(): Promise<void>
  deliveries(): SenderCounts
  replies: Record<Decision, number>
  modelFailures: MetricsNeeds['modelFailures']
  memoriesToEmbed: Reembedding['waiting']
  close(): Promise<void>
}

// Benchmarks put a slower disk, kept vectors or a watched reader in their places.
export type RoomsOptions = {
  openStore?: (file: string) => Promise<Store>
  embedder?: Embedder
  reader?: Reader
  isService?: boolean // makes backups on their schedule and embeds anew what lacks vectors: a command does not
}

export async function openRooms(config: Config, options: RoomsOptions = {}): Promise<Rooms> {
  const log = openLog(config)
  usable('MEMOIR_DATA', config.dataFolder, makePrivate)
  const readers = openReaders(config, log)
  const backupPassphrase = passphraseOf(config)
  const store = await (options.openStore?.(databaseFile(config)) ?? openToldStore(config, log, options.isService))
  const fetcher = createFetcher({ allowPrivate: config.allowPrivateUrls })
  const tracing =
    config.tracing && (await startTracing(config.tracing, (err) => log.warn({ err }, 'traces are not delivered')))
  const replies = { sent: 0, withheld: 0, draft: 0 }
  const { modelFailures, ...models } = await openModels(config, options)
  const { embedder, reader } = models
  const indexes = createIndexCache({ store, embedder }, config.recallMemoryMib)
  const reembedding = options.isService ? reembedAsNeeded(config, { store, log }, embedder) : undefined
  if (options.isService) await noticeScorer(store, log)
  const webhooks = createWebhooks({ allowPrivate: config.allowPrivateUrls })
  const post = openPost({ store, webhooks, ...config.notices, publicUrl: config.publicUrl })
  const work = { store, embedder, tracing, log, fetcher, isService: options.isService === true }
  const background = startBackground(config, { ...readers, ...work })
  const { chatModels, chat } = openChatModels(config, log)
  const backups = options.isService ? keepBackups(config, { store, log }) : undefined
  const app = createApp({
    store,
    backups,
    backupPassphrase,
    disk: diskOf(config),
    notices: { isMailSet: post.mailer !== undefined, publicUrl: config.publicUrl, publicKey: post.pusher.publicKey },
    ...readers,
    fetcher,
    ...models,
    ...chat,
    indexes,
    servingOf: reembedding?.servingOf,
    toEmbed: reembedding?.waiting,
    webSearch: createWebSearch(config.searchUrl, (err) => log.warn({ err }, 'web search')),
    webhooks,
    ...openIssuer(config, log),
    sizes: config.sizes,
    keys: config.keys,
    onTrouble: (err) => log.warn({ err }, 'a model failed'),
    onReplied: (decision) => replies[decision]++,
    onAccepted: background.onAccepted,
    onFollowed: background.onFollowed,
  })
  const compose = options.isService ? app.compose : undefined
  const senders = startSenders(config, { store, webhooks, tracing, post, compose, log })
  return {
    app,
    store,
    chatModels,
    log,
    tracing,
    backups,
    learned: background.learned,
    replies,
    modelFailures,
    memoriesToEmbed: () => reembedding?.waiting() ?? 0,
    deliveries: () => senders?.counts() ?? { sent: 0, failed: 0 },
    async close() {
      await chatModels.close()
      await backups?.stop()
      await background.stop()
      await fetcher.close()
      await senders?.stop()
      const reembedded = reembedding?.stop() // which may wait for an embedder that does not answer
      await readers.extractor.close()
      await readers.collections.close()
      await embedder.close()
      await reembedded
      await reader?.close()
      await store.close()
      await tracing?.close()
    },
  }
}

// A store that takes no writes at the moment is no reason not to start.
async function noticeScorer(store: Store, log: Logger): Promise<void> {
  try {
    await findScorerSince(store)
    const personas = await outdatedScores(store)
    if (personas.length > 0) log.warn({ personas }, 'scores were fitted for another reader: the shipped score is used')
  } catch (err) {
    log.warn({ err }, 'whether the reader is another one')
  }
}

// Every line of a request says which.
const openLog = (config: Config): Logger =>
  pino(
    { level: config.logLevel, base: null, mixin: () => ({ request: currentRequestId(), trace: currentTraceId() }) },
    destination({ dest: 2, sync: config.logLevel === 'silent' }),
  )

function openReaders({ ocrLanguages, transcription, dataFolder }: Config, log: Logger) {
  const [missing] = missingLanguages(ocrLanguages)
  if (missing)
    throw new ConfigError(
      `MEMOIR_OCR_LANGUAGES names ${missing}, whose data is not there. Run: npm install @tesseract.js-data/${missing}`,
    )
  const onBroken = (stack: string) => log.warn({ stack }, 'a parser stumbled')
  const transcriber = transcription && createTranscriber(transcription)
  return {
    extractor: createExtractor({ ocrLanguages, transcriber, onBroken }),
    collections: createCollections(join(dataFolder, 'unpacking'), (stack) => log.warn({ stack }, 'unpacking')),
  }
}

function keepBackups(config: Config, { store, log }: Pick<Rooms, 'store' | 'log'>): Backups | undefined {
  if (!config.backups || config.role === 'learn') return undefined
  usable('MEMOIR_BACKUP_DIR', config.backups.folder, makeFolder)
  return scheduleBackups({
    ...config.backups,
    store,
    passphrase: passphraseOf(config),
    onTrouble: (err) => log.error({ err }, 'backup'),
  })
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
  const rooms = await openRooms(config, { ...options, isService: true }).catch((error) => {
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
  const { backups } = rooms
  let stopping = false
  const server = await createServer({
    app: rooms.app,
    doors: config.role === 'learn' ? 'health only' : 'all',
    allowances: rooms.store.allowances,
    sizes: config.sizes,
    requestsPerMinute: config.requestsPerMinute,
    visitorMessagesPerMinute: config.visitorMessagesPerMinute,
    log: rooms.log,
    tracing: rooms.tracing,
    metrics: createMetrics({ ...rooms, chat: rooms.chatModels }),
    corsOrigins: config.corsOrigins,
    tls,
    trustProxy: config.behindProxy,
    publicUrl: config.publicUrl,
    tempFolder,
    chatModels: rooms.chatModels.states,
    memoriesToEmbed: rooms.memoriesToEmbed,
    outdatedScores: async () => (await outdatedScores(rooms.store)).length,
    damagedTexts: async () => (await rooms.store.damaged()).length,
    whatIsWrong: async () => (stopping ? 'The service is stopping.' : silenceOf(rooms.store)),
    lastBackup: async () => (await backups?.files())?.[0],
  })
  await server
    .listen({ port: config.port, host: config.host, backlog: limits.connectionsUnheard })
    .catch(async (error) => {
      await server.close()
      throw error
    })
  await rooms.app.record(SERVICE, 'start')
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
      await rooms.app.record(SERVICE, 'stop')
      await rooms.close()
    },
  }
}

const SERVICE = { key: { id: 'service', admin: false }, from: hostname() }

// Why the store does not answer; null where it does.
const silenceOf = (store: Store): Promise<string | null> =>
  store.ping().then(
    () => null,
    (error) => (error instanceof AppError ? error.message : 'The store does not answer.'),
  )

// Processes that share a database server share a folder, too; a store in the folder is served by one.
function lockFor({ databaseUrl, role }: Config, folder: string): () => void {
  makePrivate(folder)
  if (databaseUrl !== undefined || role === 'learn') return () => {}
  const letGo = lockFolder(folder)
  if (!letGo) throw new Error('another process serves this folder')
  return letGo
}
