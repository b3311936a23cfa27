// Looks over a set-up before it is started, or while it runs, and says what is wrong with it and what to do.
import { type Config, ConfigError, type Environment, readConfig } from '../config.ts'
import { checkFolder, checkSecrets } from './access.ts'
import { checkEncryption } from './encryption.ts'
import { bad, type Finding, well } from './finding.ts'
import { checkClock, checkDisk, checkMemory, checkNode, checkPort } from './machine.ts'
import { checkBackups, checkChatModel, checkConsole, checkModels, checkReading, checkStore } from './parts.ts'

export type { Finding } from './finding.ts'

// One after the other, in this order; a check that breaks is a finding itself.
const checks: ((config: Config) => Finding | Promise<Finding>)[] = [
  checkMemory,
  checkClock,
  checkFolder,
  checkDisk,
  checkPort,
  checkStore,
  checkEncryption,
  checkModels,
  checkReading,
  checkChatModel,
  checkConsole,
  checkBackups,
]

export async function* examine(env: Environment, folder = process.cwd()): AsyncGenerator<Finding> {
  yield checkNode()
  const config = configOf(env)
  if (config instanceof ConfigError) return yield bad('settings', config.message, 'Correct it, then ask again.')
  yield well('settings', 'Every one is understood.')
  for (const check of checks) {
    try {
      yield await check(config)
    } catch (error) {
      yield bad(check.name, `It could not be looked at: ${(error as Error).message}`, 'Look at it yourself.')
    }
  }
  yield* checkSecrets(config, folder)
}

function configOf(env: Environment): Config | ConfigError {
  try {
    return readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}
