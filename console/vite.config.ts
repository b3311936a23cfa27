// How the console is built, and how it is worked on: `npx vite console` shows changes at once, beside a running service.
import { fileURLToPath } from 'node:url'
import type { Plugin, UserConfig } from 'vite'
import { adminOperations } from '../src/contract/admin-api.ts'
import { keepOperations } from '../src/contract/keep-api.ts'
import type { Operation } from '../src/contract/operation.ts'
import { publicOperations } from '../src/contract/public-api.ts'

const NAME = 'memoir:operations'
const service = 'http://127.0.0.1:8787'

// The page calls by the contract's own methods and paths, without carrying the schemas that check requests.
const operations: Plugin = {
  name: NAME,
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load(id) {
    if (id !== `\0${NAME}`) return undefined
    return `export const adminOperations = ${called(adminOperations)}
export const keepOperations = ${called(keepOperations)}
export const publicOperations = ${called(publicOperations)}`
  },
}

const called = (operations: Record<string, Operation>): string => {
  const entries = Object.entries(operations).map(([name, { method, path, body, streamed }]) => [
    name,
    { method, path, hasBody: body !== undefined, streamPath: streamed?.path },
  ])
  return JSON.stringify(Object.fromEntries(entries))
}

export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [operations],
  server: { proxy: { '/admin': service, '/v1': service, '/console/session': service } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the policy of the page allows no addresses of data
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'error',
} satisfies UserConfig
