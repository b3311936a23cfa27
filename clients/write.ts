// `npm run clients`: writes what both clients have from openapi.json.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describedOperations } from './described.ts'
import { python } from './write-python.ts'
import { typescript } from './write-typescript.ts'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const written = () => {
  const operations = describedOperations()
  return {
    'typescript/operations.ts': formatted(typescript(operations)),
    'python/memoir_client/operations.py': python(operations),
  }
}

const formatted = (code: string): string =>
  execFileSync(path('../node_modules/.bin/biome'), ['format', '--stdin-file-path=operations.ts'], {
    input: code,
    encoding: 'utf8',
  })

if (import.meta.main) for (const [name, code] of Object.entries(written())) writeFileSync(path(name), code)
