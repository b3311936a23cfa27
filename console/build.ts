// Builds the console into console/dist, unless it is there already and nothing it is made of has changed since.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'console/dist/made-from')

export async function buildConsole(): Promise<'built' | 'current' | 'left out'> {
  const sources = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return 'current'
  // An install without development packages serves what was built before, if anything was.
  if (!existsSync(join(root, 'node_modules/vite/package.json'))) return existsSync(stamp) ? 'current' : 'left out'
  const { build } = await import('vite')
  const { default: config } = await import('./vite.config.ts')
  const { firstPage, signInForms } = await import('./first-page.ts')
  await build({ ...config, configFile: false, plugins: [...config.plugins, await firstPage(config)] })
  writeFileSync(join(root, 'console/dist/sign-in.json'), JSON.stringify(await signInForms(config)))
  writeFileSync(stamp, sources)
  return 'built'
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', ...filesIn('console'), ...filesIn('src/contract')]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(join('console', 'dist')))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
