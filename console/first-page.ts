// What makes the first page quick: its looks, a script of a few lines and the form for signing in come with the page itself.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, type UserConfig } from 'vite'

const source = (name: string): string => fileURLToPath(new URL(`src/${name}`, import.meta.url))

// The policy of the page allows what is written into it by hash (src/http/console.ts).
export async function firstPage(config: UserConfig): Promise<Plugin> {
  const script = await beforePaint(config)
  return {
    name: 'memoir:first-page',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }),
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle)
        const chunk = (name: string) => files.find((file) => file.type === 'chunk' && file.name === name)!.fileName
        const address = (name: string) => `<meta name="${name}" content="/console/${chunk(name)}" />`
        const names = ['index', 'first', 'inflect', 'rolldown-runtime', 'inside']
        const style = files.find(({ fileName }) => /\/index-[^/]+\.css$/.test(fileName))!
        if (style.type !== 'asset') throw new Error('The looks are not a file.')
        delete bundle[style.fileName]
        return html
          .replace(/<link rel="stylesheet"[^>]+>/, () => `<style>${style.source}</style>`)
          .replaceAll(/ *<(script type="module"|link rel="modulepreload")[^>]+>(<.script>)?\n/g, '')
          .replace('</head>', () => `${names.map(address).join('')}</head>`)
          .replace('<div id="root"></div>', (root) => `${root}<script>${script}</script>`)
      },
    },
  }
}

// What the first page needs is one file: its pieces, fetched one after another, would take a way each. What other languages
// import is apart: the first page waits for them, and would wait for itself. Looks belong to the entry, which nothing
// imports: other pages would ask for the file that they were.
const groups = [
  { name: 'inflect', test: source('words/inflect.ts'), priority: 1 },
  {
    name: (id: string, modules: Modules) => (!id.endsWith('.css') && isOfFirstPage(id, modules) ? 'first' : null),
  },
]

type Modules = { getModuleInfo(id: string): { importers: string[] } | null }

function isOfFirstPage(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const { importers = [] } = modules.getModuleInfo(id) ?? {}
  return importers.some((one) => one === source('main.tsx') || isOfFirstPage(one, modules, seen))
}

async function beforePaint(config: UserConfig): Promise<string> {
  const lib = { entry: source('before-paint.ts'), formats: ['iife' as const], name: 'beforePaint' }
  const [made] = [
    await build({ ...config, publicDir: false, configFile: false, build: { ...config.build, lib, write: false } }),
  ].flat()
  if (!made || !('output' in made)) throw new Error('The script was not built.')
  return made.output[0].code.trim()
}

export const OPENID = '{openid}' // stands for the name of an issuer

type SignInForm = { signInMarkup(ways: { accounts: boolean; openid: string | null }): string }

// By language and by the ways in.
export async function signInForms(config: UserConfig): Promise<Record<string, string>> {
  const outDir = mkdtempSync(fileURLToPath(new URL('dist/', import.meta.url)))
  const entry = source('sign-in-markup.tsx')
  const output = { entryFileNames: 'form.mjs', codeSplitting: false }
  try {
    await build({
      ...config,
      publicDir: false,
      configFile: false,
      build: { ...config.build, ssr: entry, outDir, rolldownOptions: { output } },
    })
    const forms: Record<string, string> = {}
    for (const language of ['en', 'de']) {
      const file = `${pathToFileURL(join(outDir, 'form.mjs'))}?${language}`
      await asBrowser(language, async () => {
        const { signInMarkup } = (await import(file)) as SignInForm
        for (const accounts of [false, true]) {
          for (const openid of [null, OPENID])
            forms[`${language} ${accounts} ${openid !== null}`] = signInMarkup({ accounts, openid })
        }
      })
    }
    return forms
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

// With the little that the page asks a browser for while it is written.
async function asBrowser(language: string, write: () => Promise<void>): Promise<void> {
  const storage = { getItem: () => null }
  const given = {
    localStorage: storage,
    sessionStorage: storage,
    navigator: { languages: [language] },
    location: { pathname: '/console', hash: '', search: '', hostname: '' },
    matchMedia: () => ({ matches: false }),
  }
  const before = Object.keys(given).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(given))
    Object.defineProperty(globalThis, name, { value, configurable: true })
  try {
    await write()
  } finally {
    for (const [name, was] of before) {
      if (was) Object.defineProperty(globalThis, name, was)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}
