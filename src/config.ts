// The environment, read once, checked and frozen. A wrong value stops the start with a sentence.
import { join, resolve } from 'node:path'
import { type OpenIdSettings, openId, openIdSettings } from './config-issuer.ts'
import {
  backups,
  ConfigError,
  chat,
  checkSafe,
  corsOrigins,
  databaseUrl,
  type Endpoint,
  encryption,
  endpoint,
  follow,
  type KeySource,
  keepSettings,
  local,
  moreSettings,
  type NoticeSettings,
  notices,
  ocrLanguages,
  publicUrl,
  readingSettings,
  searchUrl,
  tlsFiles,
  tracing,
} from './config-values.ts'
import type { Sizes } from './contract/limits.ts'
import { type ChatSettings, chatProviders } from './domain/chat-model.ts'
import { limits } from './domain/limits.ts'
import { type TracingSettings, tracingSettings } from './telemetry/settings.ts'

export type Config = Readonly<{
  port: number
  host: string
  dataFolder: string
  databaseUrl: string | undefined
  role: 'serve' | 'learn' | 'both'
  adminKey: string | undefined
  sizes: Sizes
  requestsPerMinute: number // of one key; 0: no limit
  visitorMessagesPerMinute: number // of one address without a key; 0: no limit
  chatTimeoutMs: number // of one answer with all its attempts
  chatFirstTokenMs: number // of them, until it begins
  chatRestMs: number // before a model that failed is tried again
  chatAtOnce: number // messages one model is given at once
  recallMemoryMib: number // of all personas held for recall together
  allowPrivateUrls: boolean
  corsOrigins: '*' | string[]
  tls: { certFile: string; keyFile: string } | undefined
  behindProxy: boolean
  publicUrl: string | undefined
  openId: OpenIdSettings | undefined
  keys: { legacyByDefault: boolean; invites: boolean }
  logLevel: string
  embedding: Endpoint | undefined
  transcription: Endpoint | undefined
  ocrLanguages: string[]
  reader: boolean
  longestWaitMs: number
  guide: boolean // made in an empty store
  chat: ChatSettings | undefined
  chatContextTokens: number | undefined // undefined: what is usual with the provider
  chatLocal: { threads: number | undefined; memoryMib: number | undefined; contextTokens: number | undefined }
  searchUrl: string | undefined
  backups: { folder: string; everyMs: number; keep: number } | undefined // on a schedule
  backupPassphraseFile: string | undefined
  encryption: KeySource | undefined
  tracing: TracingSettings | undefined
  notices: NoticeSettings
  diskLeastBytes: number // with less free it counts as full
  follow: { delayMs: number; sitePages: number }
}>

const MIB = 1024 * 1024

type Setting = { name: string; meaning: string; fallback: string }

// The one list that `memoir --help`, docs/reference/settings.md and the checks below share.
export const settings = [
  { name: 'MEMOIR_PORT', meaning: 'Port to listen on.', fallback: '8787' },
  {
    name: 'MEMOIR_HOST',
    meaning: 'Address to listen on. Other than loopback needs TLS or MEMOIR_BEHIND_PROXY=1.',
    fallback: '127.0.0.1',
  },
  { name: 'MEMOIR_DATA', meaning: 'Folder that holds everything Memoir stores.', fallback: './data' },
  {
    name: 'MEMOIR_DATABASE_URL',
    meaning: 'PostgreSQL (15 or newer) instead of the store in MEMOIR_DATA: postgres://user:password@host/database.',
    fallback: '',
  },
  {
    name: 'MEMOIR_ROLE',
    meaning:
      'serve: answers callers. learn: learns what was accepted, follows sources, delivers events, answers health ' +
      'checks only. both: does both.',
    fallback: 'both',
  },
  {
    name: 'MEMOIR_ADMIN_KEY',
    meaning: 'The admin key, 16 characters at least. Unset: made on the first start and shown once.',
    fallback: '',
  },
  {
    name: 'MEMOIR_RATE_LIMIT',
    meaning: 'Requests a minute and key, with bursts of as many. 0: no limit.',
    fallback: '600',
  },
  { name: 'MEMOIR_VISITOR_RATE_LIMIT', meaning: 'Messages a minute and visitor address. 0: no limit.', fallback: '20' },
  {
    name: 'MEMOIR_ALLOW_PRIVATE_URLS',
    meaning: '1: private addresses may be fetched (upload-url, sources, `memoir model get`), and delivered to.',
    fallback: '0',
  },
  {
    name: 'MEMOIR_CORS_ORIGINS',
    meaning: 'Origins whose pages may call /v1 and /openai: *, a comma-separated list, or none. /mcp: those of a list.',
    fallback: '*',
  },
  { name: 'MEMOIR_TLS_CERT', meaning: 'File with the TLS certificate (PEM). Goes with MEMOIR_TLS_KEY.', fallback: '' },
  { name: 'MEMOIR_TLS_KEY', meaning: 'File with the TLS key (PEM).', fallback: '' },
  { name: 'MEMOIR_BEHIND_PROXY', meaning: '1: a proxy in front of Memoir speaks TLS to the callers.', fallback: '0' },
  {
    name: 'MEMOIR_PUBLIC_URL',
    meaning: 'Address under which people reach Memoir, such as https://memoir.example. Unset: as their browser says.',
    fallback: '',
  },
  { name: 'MEMOIR_LEGACY', meaning: '1: new keys serve programs of 2023 unless they say otherwise.', fallback: '0' },
  {
    name: 'MEMOIR_INVITES',
    meaning: '1: a key that may send messages may make others for the same persona through /v1/invite.',
    fallback: '0',
  },
  { name: 'MEMOIR_MAX_BODY_BYTES', meaning: 'Largest JSON body.', fallback: String(8 * MIB) },
  { name: 'MEMOIR_MAX_FILE_BYTES', meaning: 'Largest uploaded file.', fallback: String(100 * MIB) },
  { name: 'MEMOIR_MAX_TEXT_CHARACTERS', meaning: 'Longest Text.', fallback: '1000000' },
  {
    name: 'MEMOIR_RECALL_MEMORY_MIB',
    meaning: 'Memory for the personas recalled lately; the least recently used go.',
    fallback: '1024',
  },
  {
    name: 'MEMOIR_READER',
    meaning: '0: the reader model does not rerank what recall finds. Faster, and less accurate.',
    fallback: '1',
  },
  { name: 'MEMOIR_LONGEST_WAIT_S', meaning: 'A message that would wait longer for models is refused.', fallback: '10' },
  {
    name: 'MEMOIR_GUIDE',
    meaning: '0: the first start makes no guide, the persona that knows this documentation.',
    fallback: '1',
  },
  ...readingSettings,
  {
    name: 'MEMOIR_CHAT_MODEL',
    meaning: 'Chat model that writes the replies from memory. Unset: they are read out of memory without one.',
    fallback: '',
  },
  {
    name: 'MEMOIR_CHAT_PROVIDER',
    meaning: `Who serves it: ${chatProviders.join(', ')}.`,
    fallback: 'openai-compatible',
  },
  {
    name: 'MEMOIR_CHAT_URL',
    meaning: "Its base address. Unset: the vendor's own; an openai-compatible server needs it.",
    fallback: '',
  },
  { name: 'MEMOIR_CHAT_KEY', meaning: 'Its key, if it asks for one.', fallback: '' },
  {
    name: 'MEMOIR_CHAT_TIMEOUT_S',
    meaning: 'Seconds the chat model has for one answer; after that it is made without it.',
    fallback: '120',
  },
  { name: 'MEMOIR_CHAT_FIRST_TOKEN_S', meaning: 'Seconds of them until it begins to answer.', fallback: '60' },
  {
    name: 'MEMOIR_CHAT_REST_S',
    meaning: 'Seconds until a model that failed is tried again, in the background; memory answers meanwhile.',
    fallback: '5',
  },
  { name: 'MEMOIR_CHAT_AT_ONCE', meaning: 'Messages it is given at once; personas take turns.', fallback: '8' },
  {
    name: 'MEMOIR_CHAT_CONTEXT_TOKENS',
    meaning:
      `Tokens the chat model holds at once. Unset: ${limits.chatContextTokens}, ` +
      `with a vendor ${limits.chatVendorContextTokens}.`,
    fallback: '',
  },
  {
    name: 'MEMOIR_SEARCH_URL',
    meaning: 'Address of a SearXNG instance with its JSON format on: instruction?cmd=search then asks the web, too.',
    fallback: '',
  },
  ...keepSettings,
  { name: 'MEMOIR_LOG', meaning: 'Least level logged: debug, info, warn, error or silent.', fallback: 'info' },
  { name: 'MEMOIR_URL', meaning: 'Command line only: work on this service, not on the data folder.', fallback: '' },
  {
    name: 'MEMOIR_KEY',
    meaning: "Command line only: the key for MEMOIR_URL: the admin key for every command, or a persona's key.",
    fallback: '',
  },
  ...moreSettings,
  ...openIdSettings,
  ...tracingSettings,
] as const satisfies Setting[]

export { ConfigError, type KeySource }

type Name = (typeof settings)[number]['name']
export type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(env: Environment): Config {
  refuseUnknown(env)
  const text = (name: Name) => env[name]?.trim() || settings.find((setting) => setting.name === name)!.fallback
  const number = (name: Name, least: number, most: number) => {
    const value = Number(text(name))
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new ConfigError(`${name} must be a whole number from ${least} to ${most}; it is "${text(name)}".`)
    }
    return value
  }
  const oneOf = <T extends string>(name: Name, values: readonly T[]): T => {
    const value = text(name) as T
    if (!values.includes(value)) throw new ConfigError(`${name} must be one of ${values.join(', ')}; it is "${value}".`)
    return value
  }
  const optional = (name: Name, least: number, most: number) => (text(name) ? number(name, least, most) : undefined)
  const tokens = optional('MEMOIR_CHAT_CONTEXT_TOKENS', 2_048, 2_000_000)
  const config: Config = {
    port: number('MEMOIR_PORT', 0, 65_535),
    host: text('MEMOIR_HOST'),
    dataFolder: resolve(text('MEMOIR_DATA')),
    databaseUrl: databaseUrl(text('MEMOIR_DATABASE_URL')),
    role: oneOf('MEMOIR_ROLE', ['serve', 'learn', 'both']),
    adminKey: text('MEMOIR_ADMIN_KEY') || undefined,
    sizes: Object.freeze({
      jsonBodyBytes: number('MEMOIR_MAX_BODY_BYTES', 1_024, 2 ** 30),
      fileBytes: number('MEMOIR_MAX_FILE_BYTES', 1, 2 ** 31),
      textCharacters: number('MEMOIR_MAX_TEXT_CHARACTERS', 1, 2 ** 28),
    }),
    requestsPerMinute: number('MEMOIR_RATE_LIMIT', 0, 1_000_000_000),
    visitorMessagesPerMinute: number('MEMOIR_VISITOR_RATE_LIMIT', 0, 1_000_000),
    chatTimeoutMs: 1000 * number('MEMOIR_CHAT_TIMEOUT_S', 1, 290),
    chatFirstTokenMs: 1000 * number('MEMOIR_CHAT_FIRST_TOKEN_S', 1, 290),
    chatRestMs: 1000 * number('MEMOIR_CHAT_REST_S', 1, 300),
    chatAtOnce: number('MEMOIR_CHAT_AT_ONCE', 1, 1_000),
    recallMemoryMib: number('MEMOIR_RECALL_MEMORY_MIB', 16, 3_072),
    reader: oneOf('MEMOIR_READER', ['0', '1']) === '1',
    longestWaitMs: 1000 * number('MEMOIR_LONGEST_WAIT_S', 1, 300),
    guide: oneOf('MEMOIR_GUIDE', ['0', '1']) === '1',
    chat: chat({
      provider: oneOf('MEMOIR_CHAT_PROVIDER', chatProviders),
      url: text('MEMOIR_CHAT_URL') || null,
      name: text('MEMOIR_CHAT_MODEL'),
      key: text('MEMOIR_CHAT_KEY') || null,
    }),
    chatContextTokens: tokens,
    chatLocal: { contextTokens: tokens, ...local(optional) },
    allowPrivateUrls: oneOf('MEMOIR_ALLOW_PRIVATE_URLS', ['0', '1']) === '1',
    corsOrigins: corsOrigins(text('MEMOIR_CORS_ORIGINS')),
    tls: tlsFiles(text('MEMOIR_TLS_CERT'), text('MEMOIR_TLS_KEY')),
    keys: {
      legacyByDefault: oneOf('MEMOIR_LEGACY', ['0', '1']) === '1',
      invites: oneOf('MEMOIR_INVITES', ['0', '1']) === '1',
    },
    publicUrl: publicUrl(text('MEMOIR_PUBLIC_URL')),
    openId: openId(text),
    behindProxy: oneOf('MEMOIR_BEHIND_PROXY', ['0', '1']) === '1',
    logLevel: oneOf('MEMOIR_LOG', ['debug', 'info', 'warn', 'error', 'silent']),
    searchUrl: searchUrl(text('MEMOIR_SEARCH_URL')),
    backups: backups(text, number('MEMOIR_BACKUP_KEEP', 1, 1_000)),
    backupPassphraseFile: text('MEMOIR_BACKUP_PASSPHRASE_FILE') || undefined,
    encryption: encryption(text, text('MEMOIR_DATABASE_URL') !== ''),
    tracing: tracing(text),
    notices: notices(text('MEMOIR_SMTP_URL'), text('MEMOIR_MAIL_FROM'), number('MEMOIR_NOTICE_DELAY_S', 0, 3_600)),
    diskLeastBytes: MIB * number('MEMOIR_DISK_LEAST_MIB', 0, 2 ** 30),
    follow: follow(number),
    embedding: endpoint('EMBED', text),
    transcription: endpoint('TRANSCRIPTION', text),
    ocrLanguages: ocrLanguages(text('MEMOIR_OCR_LANGUAGES')),
  }
  checkSafe(config)
  return Object.freeze(config)
}

export const databaseFile = (config: Config): string => join(config.dataFolder, 'memoir.db')

// A mistyped setting would otherwise be obeyed by nobody.
function refuseUnknown(env: Environment): void {
  const known = new Set<string>(settings.map((setting) => setting.name))
  const unknown = Object.keys(env).filter((name) => name.startsWith('MEMOIR_') && !known.has(name))
  if (unknown.length > 0)
    throw new ConfigError(`There is no setting ${unknown.join(', ')}. \`memoir --help\` lists them all.`)
}
