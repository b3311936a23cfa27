// Settings that are more than a number or a word: each is read into its value, or refused with a sentence.
import { resolve } from 'node:path'
import { type ChatSettings, wrongChatSettings } from './domain/chat-model.ts'
import { samplers, type TracingSettings, type tracingSettings } from './telemetry/settings.ts'

export class ConfigError extends Error {}

export function corsOrigins(text: string): '*' | string[] {
  if (text === '*') return '*'
  if (text === 'none') return []
  const origins = text.split(',').map((origin) => origin.trim())
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin)
  if (wrong !== undefined)
    throw new ConfigError(`MEMOIR_CORS_ORIGINS holds "${wrong}", which is no origin like https://example.com.`)
  return origins
}

// Never repeats it: it holds a password.
export function databaseUrl(url: string): string | undefined {
  if (url && (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)))
    throw new ConfigError('MEMOIR_DATABASE_URL must look like postgres://user:password@host:5432/database.')
  return url || undefined
}

export function publicUrl(url: string): string | undefined {
  if (url && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)))
    throw new ConfigError(`MEMOIR_PUBLIC_URL must look like https://memoir.example; it is "${url}".`)
  return url ? new URL(url).origin : undefined
}

export function searchUrl(url: string): string | undefined {
  if (url && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)))
    throw new ConfigError(`MEMOIR_SEARCH_URL must be an http(s) address; it is "${url}".`)
  return url || undefined
}

// Of models that read: documents, pictures of text and recordings.
export const readingSettings = [
  {
    name: 'MEMOIR_EMBED_URL',
    meaning: 'Base address of an OpenAI-compatible embeddings endpoint. Unset: the model that comes with Memoir.',
    fallback: '',
  },
  { name: 'MEMOIR_EMBED_MODEL', meaning: 'Its model. Goes with MEMOIR_EMBED_URL.', fallback: '' },
  { name: 'MEMOIR_EMBED_KEY', meaning: 'Its key, if it asks for one.', fallback: '' },
  {
    name: 'MEMOIR_TRANSCRIPTION_URL',
    meaning: 'Base address of an OpenAI-compatible transcription endpoint. Unset: recordings are not read.',
    fallback: '',
  },
  { name: 'MEMOIR_TRANSCRIPTION_MODEL', meaning: 'Its model. Goes with MEMOIR_TRANSCRIPTION_URL.', fallback: '' },
  { name: 'MEMOIR_TRANSCRIPTION_KEY', meaning: 'Its key, if it asks for one.', fallback: '' },
  {
    name: 'MEMOIR_OCR_LANGUAGES',
    meaning:
      'Languages of scanned pages and pictures: eng+deu. Each but eng takes the package @tesseract.js-data/LANG.',
    fallback: 'eng',
  },
] as const

type ReadingName = (typeof readingSettings)[number]['name']

export type Endpoint = { url: string; model: string; key: string | undefined }

export function endpoint(what: 'EMBED' | 'TRANSCRIPTION', text: (name: ReadingName) => string): Endpoint | undefined {
  const [url, model] = [text(`MEMOIR_${what}_URL`), text(`MEMOIR_${what}_MODEL`)]
  if (!url && !model) return undefined
  if (!url || !model)
    throw new ConfigError(`MEMOIR_${what}_URL and MEMOIR_${what}_MODEL go together: one of them is missing.`)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError(`MEMOIR_${what}_URL must be an http(s) address; it is "${url}".`)
  return { url, model, key: text(`MEMOIR_${what}_KEY`) || undefined }
}

export function ocrLanguages(text: string): string[] {
  const languages = [...new Set(text.split('+').map((language) => language.trim()))]
  if (languages.length > 8 || !languages.every((language) => /^[a-z]{3}(?:_[a-z]{3,4})?$/.test(language)))
    throw new ConfigError(`MEMOIR_OCR_LANGUAGES must look like eng+deu, eight at most; it is "${text}".`)
  return languages
}

export function chat(settings: ChatSettings): ChatSettings | undefined {
  if (!settings.name) {
    if (settings.url || settings.key)
      throw new ConfigError('MEMOIR_CHAT_URL and MEMOIR_CHAT_KEY go with MEMOIR_CHAT_MODEL: it is missing.')
    return undefined
  }
  const wrong = wrongChatSettings(settings)
  if (wrong) throw new ConfigError(`MEMOIR_CHAT_${wrong.field.toUpperCase()} ${wrong.is}.`)
  return settings
}

// Of models in the same service.
const localSettings = [
  {
    name: 'MEMOIR_CHAT_LOCAL_THREADS',
    meaning: 'Threads of a model in the same service (MEMOIR_CHAT_PROVIDER=local). Unset: half of the processors.',
    fallback: '',
  },
  {
    name: 'MEMOIR_CHAT_LOCAL_MEMORY_MIB',
    meaning: 'Memory that each of its models may take, two at most. Unset: three quarters of the machine.',
    fallback: '',
  },
] as const

// Of what waits for people.
const noticeSettings = [
  {
    name: 'MEMOIR_DISK_LEAST_MIB',
    meaning: 'With less than this free for MEMOIR_DATA, the console and `memoir doctor` say that the disk is full.',
    fallback: '2048',
  },
  {
    name: 'MEMOIR_SMTP_URL',
    meaning: 'Mail server for notices to people: smtp://user:password@host:587, or smtps://… Unset: there is no mail.',
    fallback: '',
  },
  { name: 'MEMOIR_MAIL_FROM', meaning: 'From whom notices come: Memoir <memoir@example.com>.', fallback: '' },
  {
    name: 'MEMOIR_NOTICE_DELAY_S',
    meaning: 'How long a draft waits for others, so that one mail tells of all of them.',
    fallback: '180',
  },
] as const

export type NoticeSettings = { mail: { url: string; from: string } | undefined; delayMs: number }

// Never repeats the address: it holds a password.
export function notices(url: string, from: string, delayS: number): NoticeSettings {
  if (url && (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol)))
    throw new ConfigError('MEMOIR_SMTP_URL must look like smtp://user:password@host:587.')
  if ((url === '') !== (from === ''))
    throw new ConfigError('MEMOIR_SMTP_URL and MEMOIR_MAIL_FROM go together: one of them is missing.')
  return { mail: url ? { url, from } : undefined, delayMs: 1000 * delayS }
}

// Of feeds and sites that personas follow.
const followSettings = [
  {
    name: 'MEMOIR_FOLLOW_DELAY_MS',
    meaning:
      'Milliseconds between two requests to one server while following; its Crawl-delay counts where it is longer.',
    fallback: '1000',
  },
  { name: 'MEMOIR_FOLLOW_SITE_PAGES', meaning: 'Pages of a site that are followed at most.', fallback: '1000' },
] as const

type FollowName = (typeof followSettings)[number]['name']

export const follow = (number: (name: FollowName, least: number, most: number) => number) => ({
  delayMs: number('MEMOIR_FOLLOW_DELAY_MS', 10, 60_000),
  sitePages: number('MEMOIR_FOLLOW_SITE_PAGES', 1, 20_000),
})

export const moreSettings = [...localSettings, ...followSettings, ...noticeSettings] as const

type LocalName = (typeof localSettings)[number]['name']

export const local = (number: (name: LocalName, least: number, most: number) => number | undefined) => ({
  threads: number('MEMOIR_CHAT_LOCAL_THREADS', 1, 256),
  memoryMib: number('MEMOIR_CHAT_LOCAL_MEMORY_MIB', 64, 2 ** 24),
})

export function tlsFiles(certFile: string, keyFile: string): { certFile: string; keyFile: string } | undefined {
  if (!certFile && !keyFile) return undefined
  if (!certFile || !keyFile)
    throw new ConfigError('MEMOIR_TLS_CERT and MEMOIR_TLS_KEY go together: one of them is missing.')
  return { certFile, keyFile }
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

// A time between two backups: 30m, 24h, 7d.
function every(name: string, text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  if (!unit || Number(number) === 0) throw new ConfigError(`${name} must look like 30m, 24h or 7d; it is "${text}".`)
  return Number(number) * UNITS[unit]!
}

// Backups and encryption at rest.
export const keepSettings = [
  {
    name: 'MEMOIR_BACKUP_DIR',
    meaning: 'Folder into which the running service backs itself up. Unset: it does not.',
    fallback: '',
  },
  { name: 'MEMOIR_BACKUP_EVERY', meaning: 'How often: 30m, 24h, 7d.', fallback: '24h' },
  { name: 'MEMOIR_BACKUP_KEEP', meaning: 'How many backups stay there; the oldest go.', fallback: '7' },
  {
    name: 'MEMOIR_BACKUP_PASSPHRASE_FILE',
    meaning: 'File with a passphrase: every backup is encrypted with it. Without it a backup cannot be read again.',
    fallback: '',
  },
  {
    name: 'MEMOIR_ENCRYPTION_KEY_FILE',
    meaning: 'File with a key of 32 random bytes in base64: everything in MEMOIR_DATA is encrypted with it.',
    fallback: '',
  },
  {
    name: 'MEMOIR_ENCRYPTION_KEY_COMMAND',
    meaning: 'A program and its arguments, run without a shell, that prints such a key: instead of the file.',
    fallback: '',
  },
] as const

type BackupSettings = { folder: string; everyMs: number; keep: number }

type BackupName = Extract<(typeof keepSettings)[number]['name'], `MEMOIR_BACKUP_${string}`>

export function backups(text: (name: BackupName) => string, keep: number): BackupSettings | undefined {
  const folder = text('MEMOIR_BACKUP_DIR')
  const everyMs = every('MEMOIR_BACKUP_EVERY', text('MEMOIR_BACKUP_EVERY'))
  return folder ? { folder: resolve(folder), everyMs, keep } : undefined
}

type EncryptionName = Extract<(typeof keepSettings)[number]['name'], `MEMOIR_ENCRYPTION_${string}`>
// Where the key comes from. `setting` is the name for sentences.
export type KeySource = { setting: string } & ({ file: string } | { command: string[] })

export function encryption(text: (name: EncryptionName) => string, isOnPostgres: boolean): KeySource | undefined {
  const [file, command] = [text('MEMOIR_ENCRYPTION_KEY_FILE'), text('MEMOIR_ENCRYPTION_KEY_COMMAND')]
  if (file && command)
    throw new ConfigError('MEMOIR_ENCRYPTION_KEY_FILE and MEMOIR_ENCRYPTION_KEY_COMMAND are two ways: set one.')
  if ((file || command) && isOnPostgres)
    throw new ConfigError(
      `MEMOIR_ENCRYPTION_KEY_${file ? 'FILE' : 'COMMAND'} encrypts a data folder, not PostgreSQL: unset it, ` +
        'and encrypt the disk of the database.',
    )
  if (file) return { setting: 'MEMOIR_ENCRYPTION_KEY_FILE', file: resolve(file) }
  return command ? { setting: 'MEMOIR_ENCRYPTION_KEY_COMMAND', command: command.split(/\s+/) } : undefined
}

type TracingName = (typeof tracingSettings)[number]['name']

export function tracing(text: (name: TracingName) => string): TracingSettings | undefined {
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (!endpoint) return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) address; it is "${endpoint}".`)
  const sampler = samplers.find((name) => name === text('OTEL_TRACES_SAMPLER'))
  if (!sampler) throw new ConfigError(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}.`)
  const ratio = Number(text('OTEL_TRACES_SAMPLER_ARG'))
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  const headers = otlpHeaders(text('OTEL_EXPORTER_OTLP_HEADERS'))
  return { endpoint, headers, serviceName: text('OTEL_SERVICE_NAME'), sampler, ratio }
}

// Never repeated: they hold a token.
function otlpHeaders(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split(',')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at).trim()
      if (at < 1 || !/^[\w-]+$/.test(name))
        throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must look like key=value,key=value.')
      return [name, decoded(pair.slice(at + 1).trim())]
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

type Exposed = { adminKey: string | undefined; host: string; tls: object | undefined; behindProxy: boolean }

// Keys that can be guessed, and texts that others can read on their way, are refused.
export function checkSafe({ adminKey, host, tls, behindProxy }: Exposed): void {
  if (adminKey && adminKey.length < 16)
    throw new ConfigError('MEMOIR_ADMIN_KEY is too short to be safe: use 16 characters at least.')
  if (!isLoopback(host) && !tls && !behindProxy) {
    throw new ConfigError(
      `MEMOIR_HOST=${host} would send keys and messages unencrypted. Set MEMOIR_TLS_CERT and MEMOIR_TLS_KEY, ` +
        'or MEMOIR_BEHIND_PROXY=1 if a proxy in front of Memoir speaks TLS.',
    )
  }
}
