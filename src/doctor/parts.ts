// The parts that Memoir is made of and depends on: the store, the models, the console, the backups.
import { existsSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, databaseFile } from '../config.ts'
import { missingLanguages } from '../extract/ocr.ts'
import { createChatModel } from '../models/chat.ts'
import { verifyWeights } from '../models/verify-weights.ts'
import { inspectPostgres } from '../store/postgres/inspect.ts'
import { inspectSqlite } from '../store/sqlite/inspect.ts'
import { bad, type Finding, look, well } from './finding.ts'
import { limits } from './limits.ts'

export async function checkStore(config: Config): Promise<Finding> {
  const { databaseUrl } = config
  const about = 'store'
  const name = databaseUrl === undefined ? databaseFile(config) : new URL(databaseUrl).host
  const correct = databaseUrl === undefined ? 'Put a backup back: memoir restore FILE' : 'Correct MEMOIR_DATABASE_URL.'
  try {
    const inspected = databaseUrl === undefined ? inspectSqlite(name) : await inspectPostgres(databaseUrl)
    const { version, known, trouble } = inspected
    if (trouble !== null) return bad(about, `${name}: ${trouble}.`, correct)
    if (version > known)
      return bad(about, `${name} was written by a newer Memoir.`, 'Install that one, or choose another store.')
    if (inspected.isUnchecked)
      return look(about, `${name} keeps no checksums of its pages.`, 'Stop it and run: pg_checksums --enable')
    if (version === 0) return well(about, `${name} is empty and will be prepared on the first start.`)
    if (version < known)
      return look(about, `${name} is of an older Memoir.`, 'Back it up: the next start brings it up to date.')
    return well(about, `${name}, version ${version}`)
  } catch (error) {
    const why = (error as Error).message || (error as NodeJS.ErrnoException).code || 'no answer'
    return bad(about, `${name} cannot be used: ${why}.`, databaseUrl === undefined ? correct : `Start it. ${correct}`)
  }
}

export const checkModels = (): Promise<Finding> =>
  verifyWeights().then(
    () => well('models', 'The model files are those that came with Memoir.'),
    (error: Error) =>
      bad('models', error.message, 'Install Memoir again; `git lfs` or a proxy may have changed files.'),
  )

// Pictures and recordings.
export function checkReading({ ocrLanguages, transcription }: Config): Finding {
  const [missing] = missingLanguages(ocrLanguages)
  if (missing)
    return bad(
      'reading',
      `The data for pictures of text in ${missing} is not there.`,
      `Run: npm install @tesseract.js-data/${missing}`,
    )
  const heard = transcription ? `recordings by ${new URL(transcription.url).host}` : 'recordings not'
  return well('reading', `Pictures of text are read in ${ocrLanguages.join(', ')}, ${heard}.`)
}

export async function checkChatModel(config: Config): Promise<Finding> {
  const { chat, chatContextTokens: contextTokens } = config
  const about = 'chat model'
  if (!chat) return well(about, 'None is set: replies are quoted from memory.')
  const model = createChatModel(chat, { timeoutMs: limits.chatMs, firstTokenMs: limits.chatMs, contextTokens })
  const began = performance.now()
  try {
    await model.probe(AbortSignal.timeout(limits.chatMs))
    return well(about, `${model.name} began to answer after ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  } catch (error) {
    const says = `${model.name} does not answer: ${(error as Error).message}`
    return look(about, says, 'Check MEMOIR_CHAT_URL, _MODEL and _KEY. Memory answers without it meanwhile.')
  }
}

const consolePage = fileURLToPath(new URL('../../console/dist/index.html', import.meta.url))

export const checkConsole = (): Finding =>
  existsSync(consolePage)
    ? well('console', 'It is built.')
    : look('console', 'It is not built, so /console shows nothing.', 'Run: npm ci && npm run console')

export async function checkBackups({ backups, dataFolder, databaseUrl }: Config): Promise<Finding> {
  const about = 'backups'
  if (!backups)
    return look(about, 'None are made on a schedule.', 'Set MEMOIR_BACKUP_DIR, or run memoir backup FILE every day.')
  const { folder, everyMs } = backups
  const names = await readdir(folder).catch(() => undefined)
  if (!names) return bad(about, `${folder} cannot be read.`, 'Make that folder, or set MEMOIR_BACKUP_DIR to another.')
  const made = await Promise.all(
    names.filter((name) => name.endsWith('.backup')).map(async (name) => (await stat(join(folder, name))).mtimeMs),
  )
  if (made.length === 0) return look(about, `There is none in ${folder} yet.`, 'The running service makes one at once.')
  const age = Date.now() - Math.max(...made)
  const hours = Math.round(age / 3_600_000)
  if (age > limits.backupLate * everyMs)
    return bad(about, `The last one is ${hours} hours old.`, 'Look into the log of the service for why it failed.')
  if (databaseUrl === undefined && isOnSameDisk(folder, dataFolder))
    return look(about, `They are on the disk of the data, the last ${hours} hours old.`, 'Keep them on another disk.')
  return well(about, `${made.length} in ${folder}, the last ${hours} hours old`)
}

function isOnSameDisk(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false })?.dev)
  return a !== undefined && a === b
}
