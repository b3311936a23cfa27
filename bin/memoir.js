#!/usr/bin/env node
// Runs the command line on the Node that came with the packages, whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const packaged = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
const own = Number(process.versions.node.split('.')[0]) >= 24

if (own) await import(main)
else if (existsSync(packaged)) {
  const { status } = spawnSync(packaged, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  console.error(
    'Memoir needs Node 24. Run `npm ci` in its folder, which brings one on Linux and Windows, or install Node 24.',
  )
  process.exitCode = 1
}
