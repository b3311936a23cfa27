// Finds node-llama-cpp where the owner installed it: beside Memoir's own packages, or in the folder of the models.
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../domain/errors.ts'

const PACKAGE = 'node-llama-cpp'
const VERSION = '3.22.1' // that this was written for; another of the same major version is taken, too

export type Llama = { entry: string; version: string }

export function findLlama(folder: string): Llama | undefined {
  for (const base of [pathToFileURL(join(folder, 'model')).href, import.meta.url]) {
    const found = packageFrom(base)
    if (found) return found
  }
  return undefined
}

export function needLlama(folder: string): Llama {
  const found = findLlama(folder)
  if (!found) throw new AppError('model_failed', howToInstall(folder))
  return found
}

// The build for the processor alone: those for graphics cards weigh hundreds of megabytes.
export const howToInstall = (folder: string): string =>
  `the package ${PACKAGE} ${VERSION.split('.')[0]} is not installed. ` +
  `npm install --prefix ${JSON.stringify(folder)} --omit=optional ${PACKAGE}@${VERSION} ` +
  `@${PACKAGE}/${BUILDS[process.platform] ?? process.platform}-${process.arch}@${VERSION} installs it`

const BUILDS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win' }

function packageFrom(base: string): Llama | undefined {
  try {
    const file = findPackageJSON(PACKAGE, base)
    if (!file) return undefined
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
    if (version.split('.')[0] !== VERSION.split('.')[0]) return undefined
    return { entry: pathToFileURL(join(dirname(file), 'dist', 'index.js')).href, version }
  } catch {
    return undefined
  }
}
