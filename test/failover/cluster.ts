// Three PostgreSQL nodes under patroni, three of etcd, and haproxy before them, all on this machine, from Debian's packages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAMS = '/usr/lib/postgresql/15/bin'
export const NODES = ['a', 'b', 'c'] as const
export type Node = (typeof NODES)[number]

export type Cluster = {
  url: string // through haproxy: always the primary
  primary(): Promise<Node | undefined>
  members(): Promise<string>
  // The whole node at once: its patroni, its server, every one of its connections.
  killNode(node: Node): void
  startNode(node: Node): void
  stop(): void
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-failover-'))
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  const base = 20_000 + Math.floor(Math.random() * 20_000)
  const port = (what: 'etcd' | 'peer' | 'postgres' | 'patroni', node: Node) =>
    base + ['etcd', 'peer', 'postgres', 'patroni'].indexOf(what) * 10 + NODES.indexOf(node)
  chownSync(folder, uid!, gid!)
  chmodSync(folder, 0o755)
  const started: ChildProcess[] = []
  const run = (name: string, program: string, args: string[]) => {
    const child = spawn(program, args, { uid, gid, cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } })
    child.on('error', (error) => console.error(name, error.message))
    started.push(child)
    return child
  }
  const own = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    chownSync(path, uid!, gid!)
    return path
  }
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    chownSync(join(folder, name), uid!, gid!)
    return join(folder, name)
  }

  const peers = NODES.map((node) => `${node}=http://127.0.0.1:${port('peer', node)}`).join(',')
  for (const node of NODES) {
    const [client, peer] = [`http://127.0.0.1:${port('etcd', node)}`, `http://127.0.0.1:${port('peer', node)}`]
    const listen = ['--listen-client-urls', client, '--advertise-client-urls', client]
    const between = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer]
    run('etcd', 'etcd', [
      '--name',
      node,
      '--data-dir',
      own(`etcd-${node}`),
      ...listen,
      ...between,
      '--initial-cluster',
      peers,
    ])
  }

  const patronis = new Map<Node, ChildProcess>()
  const settings = new Map(NODES.map((node) => [node, write(`patroni-${node}.yml`, patroniSettings(node))]))
  const startNode = (node: Node) => patronis.set(node, run('patroni', 'patroni', [settings.get(node)!]))
  for (const node of NODES) startNode(node)

  const front = base + 99
  run('haproxy', 'haproxy', ['-db', '-f', write('haproxy.cfg', haproxySettings())])

  function patroniSettings(node: Node): string {
    return `
scope: memoir
name: ${node}
restapi: { listen: "127.0.0.1:${port('patroni', node)}", connect_address: "127.0.0.1:${port('patroni', node)}" }
etcd3: { hosts: [${NODES.map((one) => `"127.0.0.1:${port('etcd', one)}"`).join(', ')}] }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    synchronous_node_count: 1
    postgresql:
      use_pg_rewind: true
      parameters: { wal_log_hints: "on", max_connections: 100, hot_standby: "on" }
  initdb: [{ encoding: UTF8 }, { locale: C }]
  pg_hba:
    - host replication replicator 127.0.0.1/32 trust
    - host all all 127.0.0.1/32 trust
postgresql:
  listen: 127.0.0.1:${port('postgres', node)}
  connect_address: 127.0.0.1:${port('postgres', node)}
  data_dir: ${join(folder, `data-${node}`)}
  bin_dir: ${PROGRAMS}
  pgpass: ${join(folder, `pgpass-${node}`)}
  authentication:
    superuser: { username: postgres }
    replication: { username: replicator }
    rewind: { username: rewinder }
  parameters: { unix_socket_directories: "${folder}" }
`
  }

  function haproxySettings(): string {
    const servers = NODES.map(
      (node) => `  server ${node} 127.0.0.1:${port('postgres', node)} check port ${port('patroni', node)}`,
    )
    return `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${front}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
  }

  const asked = async (node: Node, path: string) =>
    fetch(`http://127.0.0.1:${port('patroni', node)}${path}`, { signal: AbortSignal.timeout(1_000) }).catch(
      () => undefined,
    )

  return {
    url: `postgres://postgres@127.0.0.1:${front}/postgres`,
    async primary() {
      for (const node of NODES) if ((await asked(node, '/primary'))?.status === 200) return node
      return undefined
    },
    async members() {
      for (const node of NODES) {
        const answer = await asked(node, '/cluster')
        if (!answer?.ok) continue
        const { members } = (await answer.json()) as { members: { name: string; role: string; state: string }[] }
        return members.map(({ name, role, state }) => `${name} ${role} (${state})`).join(', ')
      }
      return 'nobody answers'
    },
    killNode(node) {
      const postmaster = Number(readFileSync(join(folder, `data-${node}`, 'postmaster.pid'), 'utf8').split('\n')[0])
      patronis.get(node)!.kill('SIGKILL')
      const children = execFileSync('ps', ['--no-headers', '-o', 'pid', '--ppid', String(postmaster)], {
        encoding: 'utf8',
      })
      for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It was quicker.
        }
      }
    },
    startNode,
    stop() {
      for (const child of started) child.kill('SIGKILL')
      for (const node of NODES) {
        try {
          const pid = Number(readFileSync(join(folder, `data-${node}`, 'postmaster.pid'), 'utf8').split('\n')[0])
          process.kill(pid, 'SIGQUIT')
        } catch {
          // It is down already.
        }
      }
      setTimeout(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }), 1_000)
    },
  }
}
