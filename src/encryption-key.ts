// The owner's encryption key, from the file or the command that a setting names.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ConfigError, type KeySource } from './config.ts'

const KEY_BYTES = 32
const COMMAND_MS = 30_000
const COMMAND_BYTES = 4_096

export function readOwnerKey(source: KeySource | undefined): Buffer | undefined {
  if (!source) return undefined
  const text = textOf(source).trim()
  const key = Buffer.from(text, 'base64')
  // What is not base64 would be passed over in silence: written again, it must be the same.
  if (key.length !== KEY_BYTES || key.toString('base64') !== text)
    throw new ConfigError(
      `${source.setting} must give ${KEY_BYTES} random bytes in base64, as \`openssl rand -base64 32\` makes them.`,
    )
  return key
}

function textOf(source: KeySource): string {
  try {
    if ('file' in source) return readFileSync(source.file, 'utf8')
    const [program, ...given] = source.command
    const options = { timeout: COMMAND_MS, maxBuffer: COMMAND_BYTES, stdio: ['ignore', 'pipe', 'inherit'] as never }
    return execFileSync(program!, given, { ...options, encoding: 'utf8' })
  } catch (error) {
    const { code, status, message } = error as NodeJS.ErrnoException & { status?: number }
    const why = 'file' in source ? message : `its command failed (${code ?? `exit ${status}`})`
    throw new ConfigError(`${source.setting} cannot be used: ${why}.`)
  }
}
