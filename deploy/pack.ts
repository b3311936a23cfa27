// Makes JavaScript of the program for `npm pack`, beside its sources, and takes it away again: Node reads no TypeScript
// below node_modules. Run by npm before (`write`) and after (`clean`) it packs.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'

const source = resolve(import.meta.dirname, '../src')
const programs = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(?:test|suite)\.ts$/.test(name))
  .map((name) => join(source, name))
const writtenOf = (path: string): string => path.replace(/\.ts$/, '.js')

// Types become spaces, so that lines and columns stay; what a file names beside it is JavaScript, too.
const asJavaScript = (text: string): string =>
  stripTypeScriptTypes(text).replaceAll(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')

if (process.argv[2] === 'clean') for (const path of programs) rmSync(writtenOf(path), { force: true })
else for (const path of programs) writeFileSync(writtenOf(path), asJavaScript(readFileSync(path, 'utf8')))
