#!/usr/bin/env node
// Runs the command line on this Node, or on the one that came with the packages where this one is too old.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
// In a published package the program is JavaScript: Node reads no TypeScript below node_modules.
const main = [at('../src/cli/main.js'), at('../src/cli/main.ts')].find(existsSync)
const own = Number(process.versions.node.split('.')[0]) >= 24
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const executable = process.platform === 'win32' ? 'node.exe' : 'node'
const packaged = ['../node_modules', '../..']
  .map((folder) => at(`${folder}/node-${platform}/bin/${executable}`))
  .find(existsSync)

if (own) await import(new URL(`file://${main}`))
else if (packaged) {
  const child = spawn(packaged, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
} else {
  console.error(
    'Memoir needs Node 24. Run `npm ci` in its folder, which brings one on Linux and Windows, or install Node 24.',
  )
  process.exitCode = 1
}
