// Replays the Dockerfile in empty folders, a folder for each stage, since a container engine is not always at hand; then
// starts what the last stage holds, and weighs it. What a stage does as root to its own system is left out.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { megabytesOf, tryOut } from './install/try-out.ts'

const root = resolve(import.meta.dirname, '..')
const LIMIT_MB = 450
const BASE_MB = 75 // debian:bookworm-slim, unpacked

type Stage = { name: string; folder: string; env: Record<string, string> }

export async function run(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'memoir-image-'))
  try {
    const stages = replay(place)
    const last = stages.at(-1)!
    const program = lines()
      .findLast(([word]) => word === 'ENTRYPOINT')!
      .slice(1)
      .join(' ')
    const [, ...started] = JSON.parse(program) as string[]
    const trial = await tryOut([process.execPath, ...started], last.folder, { ...last.env, MEMOIR_BEHIND_PROXY: '1' })
    if (!/Turing/.test(trial.reply)) throw new Error(`It answered: ${trial.reply}`)
    if (!trial.console) throw new Error('It has no console.')
    const node = Math.round(statSync(process.execPath).size / 1e6)
    const parts = ['node_modules', 'weights', 'docs', 'src', 'console'].map(
      (name) => [name, megabytesOf(join(last.folder, name))] as const,
    )
    const whole = BASE_MB + node + megabytesOf(last.folder)
    if (whole >= LIMIT_MB) throw new Error(`The image would weigh ${whole} MB.`)
    return `# The image

The steps of deploy/Dockerfile, replayed in empty folders on ${process.platform} ${process.arch}, ${new Date().toISOString().slice(0, 10)}: ${stages.length} stages,
\`npm ci\` in two of them. What the last one holds was started: it answered “${trial.reply}” (${trial.score} % sure) and showed its
console.

| part | MB |
|---|---:|
| debian:bookworm-slim (as published) | ${BASE_MB} |
| node | ${node} |
${parts.map(([name, megabytes]) => `| ${name} | ${megabytes} |`).join('\n')}
| together | ${whole} of at most ${LIMIT_MB} |
`
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

const lines = (): string[][] =>
  readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/))

function replay(place: string): Stage[] {
  const stages: Stage[] = []
  for (const [word, ...rest] of lines()) {
    const stage = stages.at(-1)!
    if (word === 'FROM') stages.push(begin(place, rest[2] ?? 'last'))
    else if (word === 'COPY') copy(stages, stage, rest)
    else if (word === 'ENV') Object.assign(stage.env, Object.fromEntries(rest.map((pair) => pair.split('='))))
    else if (word === 'RUN' && stage.name !== 'last')
      execFileSync('sh', ['-c', rest.join(' ')], { cwd: stage.folder, stdio: 'inherit' })
  }
  return stages
}

function begin(place: string, name: string): Stage {
  const folder = join(place, name)
  mkdirSync(folder)
  return { name, folder, env: {} }
}

// From another stage, or from what .dockerignore lets through.
function copy(stages: Stage[], { folder }: Stage, words: string[]): void {
  const from = /^--from=(.+)/.exec(words[0]!)?.[1]
  const given = from ? words.slice(1) : words
  const target = given.at(-1)!
  for (const source of given.slice(0, -1)) {
    if (source.startsWith('/usr/')) continue // the system's own
    const path = from ? source.replace(/^\/memoir\//, '') : source
    const origin = join(from ? stages.find(({ name }) => name === from)!.folder : root, path)
    const place = target.endsWith('/') ? join(folder, target, path) : join(folder, target)
    mkdirSync(dirname(place), { recursive: true })
    cpSync(origin, place, { recursive: true, filter: (one) => from !== undefined || isLetThrough(one) })
  }
}

const isLetThrough = (path: string): boolean => !path.endsWith('.test.ts') && path !== join(root, 'console/dist')
