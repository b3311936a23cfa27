// Opens the models that the settings name, and embeds anew what another embedder left.
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type ChatModels, createChatModels } from './models/chat-models.ts'
import { createEmbedder } from './models/embedder.ts'
import { createEndpointEmbedder } from './models/embedder-endpoint.ts'
import { limits } from './models/limits.ts'
import { createLocalModels } from './models/local/local-models.ts'
import { createReader } from './models/reader.ts'
import { createRecallTurns } from './models/recall-turns.ts'
import type { LocalModelFiles } from './ports/local-models.ts'
import type { Embedder, Reader } from './ports/models.ts'
import type { Store } from './ports/store.ts'
import { createIndexCache } from './recall/index/cache.ts'
import { type Reembedding, startReembedding } from './recall/reembedding.ts'
import { createRerank } from './recall/rerank.ts'
import { watchEmbedder, watchReader } from './telemetry/models.ts'
import { createDownload } from './web/download.ts'

type Rooms = { store: Store; log: Logger }

type Chat = {
  voiceOf: ChatModels['voiceOf']
  voiceState: ChatModels['stateOf']
  localModels: LocalModelFiles
}

// The models that read and embed, with their failures counted, and the turns that personas take at them.
export async function openModels(config: Config, options: { embedder?: Embedder; reader?: Reader }) {
  const modelFailures = { embedder: 0, reader: 0 }
  const embedder =
    options.embedder ?? (config.embedding ? await createEndpointEmbedder(config.embedding) : createEmbedder())
  const opened = options.reader ?? (config.reader ? createReader() : undefined)
  const reader = opened && watchReader(opened, () => modelFailures.reader++)
  return {
    embedder: watchEmbedder(embedder, () => modelFailures.embedder++),
    reader,
    rerank: reader && createRerank(reader),
    takeTurn: createRecallTurns({ atOnce: limits.recallsAtOnce, longestWaitMs: config.longestWaitMs }),
    modelFailures,
  }
}

// Before an endpoint was set, the model that comes with Memoir was in use: it is always at hand.
export function reembedAsNeeded(config: Config, { store, log }: Rooms, embedder: Embedder): Reembedding {
  const shipped = () => {
    const own = createEmbedder()
    return { embedder: own, indexes: createIndexCache({ store, embedder: own }, config.recallMemoryMib) }
  }
  return startReembedding({
    store,
    embedder,
    before: config.embedding && config.role !== 'learn' ? shipped : undefined,
    isDoing: config.role !== 'serve',
    onFound: (memories) => log.info({ memories, embedder: embedder.name }, 'memories lack vectors of this embedder'),
    onDone: () => log.info({ embedder: embedder.name }, 'all memories have vectors of this embedder'),
    onTrouble: (err) => log.warn({ err }, 'embedding anew'),
  })
}

// `chat` is what the application needs of them.
export function openChatModels(config: Config, log: Logger): { chatModels: ChatModels; chat: Chat } {
  const download = createDownload({ allowPrivate: config.allowPrivateUrls })
  const local = createLocalModels(join(config.dataFolder, 'models'), download, config.chatLocal)
  const chatModels = createChatModels(
    config.chat,
    {
      timeoutMs: config.chatTimeoutMs,
      firstTokenMs: config.chatFirstTokenMs,
      contextTokens: config.chatContextTokens,
      restMs: config.chatRestMs,
      atOnce: config.chatAtOnce,
    },
    (model, state) => log.info({ model, state }, 'chat model'),
    local,
  )
  const { voiceOf, stateOf } = chatModels
  return { chatModels, chat: { voiceOf, voiceState: stateOf, localModels: local.files } }
}
