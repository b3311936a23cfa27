// Packs Memoir as npm does, installs the file in an empty folder, and asks the installed program something; and what
// the trees of `npm ci` weigh.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { megabytesOf, tryOut } from './install/try-out.ts'

const root = resolve(import.meta.dirname, '..')

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-package-'))
  // The machine's own Node and npm, as its users have them.
  const env = {
    ...process.env,
    PATH: process.env
      .PATH!.split(':')
      .filter((at) => !at.includes('node_modules'))
      .join(':'),
  }
  const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
  try {
    npm(['pack', '--pack-destination', folder], root)
    const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'package.json'), '{ "private": true }')
    npm(['install', '--omit=dev', tarball], elsewhere)
    const trial = await tryOut([join(elsewhere, 'node_modules/.bin/memoir')], elsewhere, { PATH: env.PATH })
    if (!/Turing/.test(trial.reply)) throw new Error(`It answered: ${trial.reply}`)
    if (!trial.console) throw new Error('It has no console.')
    const version = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim()
    return `# An installed Memoir

Measured on ${process.platform} ${process.arch}, installed by Node ${version.replace('v', '')}, on ${new Date().toISOString().slice(0, 10)}.
\`npm pack\` was run, its file installed in an empty folder, and \`memoir serve\` started there: it answered
“${trial.reply}” (${trial.score} % sure), showed its console, and began ${(trial.startedMs / 1000).toFixed(1)} s after its start.

| what | MB |
|---|---:|
| the file of \`npm pack\` | ${Math.round(statSync(tarball).size / 1e6)} |
| installed from it, with its packages | ${megabytesOf(elsewhere)} |
${checkout(folder, npm)}
The trees hold Node 24 for this machine where it is installed by an older one; with a Node 24 of the machine's own that goes, too.
`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// \`npm ci\` in a checkout, with and without the development packages.
function checkout(folder: string, npm: (args: string[], cwd: string) => string): string {
  return [[], ['--omit=dev']]
    .map((options) => {
      const place = join(folder, `checkout${options.length}`)
      mkdirSync(place)
      for (const name of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'bin', 'console', 'src'])
        cpSync(join(root, name), join(place, name), { recursive: true })
      npm(['ci', ...options], place)
      const packages = join(place, 'node_modules')
      const node = readdirSync(packages).find((name) => /^node-(?:linux|win)-/.test(name))
      const without =
        node && existsSync(join(packages, node)) ? megabytesOf(packages) - megabytesOf(join(packages, node)) : undefined
      const text = `| \`npm ci${options.map((one) => ` ${one}`).join('')}\` | ${megabytesOf(packages)} |\n`
      return without === undefined ? text : `${text}| the same with a Node 24 of the machine's own | ${without} |\n`
    })
    .join('')
}
