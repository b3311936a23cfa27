// An hour of mixed traffic at a modest rate: memory stays where it was, descriptors too, and the folder grows with what it keeps.
import { availableParallelism } from 'node:os'
import { figuresOf, type Point, slopeOf } from './traffic/figures.ts'
import { callOnSchedule, isOf, type Outcome } from './traffic/loops.ts'
import { mixOf, type Operation, shares } from './traffic/mix.ts'
import { type Caller, type Service, startService, wait } from './traffic/service.ts'

const MINUTES = Number(process.env.MEMOIR_BENCH_MINUTES ?? 60)
const RATE = Number(process.env.MEMOIR_BENCH_RATE ?? 3) // requests a second
const SAMPLE_MS = 60_000
const PERSONAS = 4
const DOCUMENTS_KEPT = 60 // of a persona: what is older is deleted

type Sample = {
  minute: number
  rss: number
  own: number
  descriptors: number
  folder: number
  writes: number
  turnMs: number
}

const QUARTERS = [1, 2, 3, 4].map((quarter) => Math.round((quarter * MINUTES) / 4))
type Collected = { live: number; own: number }

export async function run(): Promise<string> {
  const service = await startService(PERSONAS)
  try {
    const outcomes: Outcome[] = []
    const samples: Sample[] = []
    const collected: Collected[] = []
    await service.turns() // those of the start
    for (let minute = 0; minute < MINUTES; minute++) {
      const next = mixOf(service.callers, { seed: minute })
      const traffic = callOnSchedule(service.url, next, { rate: RATE, ms: SAMPLE_MS, seed: -1 - minute })
      await Promise.all([deleteOld(service), wait(SAMPLE_MS)])
      outcomes.push(...(await traffic))
      samples.push(await sample(service, minute + 1, outcomes))
      if (QUARTERS.includes(minute + 1)) collected.push(await collect(service))
      console.error(JSON.stringify([samples.at(-1), collected.at(-1)]))
    }
    await service.learned()
    return report(outcomes, samples, collected)
  } finally {
    await service.stop()
  }
}

// What is left when everything was collected that can be. The turn that collects is not one of the service's.
async function collect(service: Service): Promise<Collected> {
  const live = await service.liveBytes()
  const { own } = service.memory()
  await service.turns()
  return { live, own }
}

const isWrite = ({ sent, status }: Outcome) =>
  status === 200 && sent.operation !== 'history' && sent.operation !== 'list'

async function sample(service: Service, minute: number, outcomes: Outcome[]): Promise<Sample> {
  return {
    minute,
    ...service.memory(),
    descriptors: service.descriptors(),
    folder: service.folderBytes(),
    writes: outcomes.filter(isWrite).length,
    turnMs: (await service.turns()).cpuMs,
  }
}

// Through the front, as an owner does.
async function deleteOld({ url, callers, admin }: Service): Promise<void> {
  for (const caller of callers)
    for (const id of (await documentsOf(url, caller)).slice(DOCUMENTS_KEPT))
      await admin('DELETE', `/personas/${caller.persona}/documents/${id}`)
}

async function documentsOf(url: string, { persona, key }: Caller): Promise<string[]> {
  const ids: string[] = []
  for (let before = ''; ; ) {
    const query = new URLSearchParams({ DomainName: persona, limit: '100', ...(before && { before }) })
    const answer = await fetch(`${url}/v1/document/list?${query}`, { headers: { 'x-api-key': key } })
    const page = (await answer.json()) as { documents: { id: string }[]; next: string | null }
    ids.push(...page.documents.map(({ id }) => id))
    if (!page.next) return ids
    before = page.next
  }
}

function report(outcomes: Outcome[], samples: Sample[], collected: Collected[]): string {
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  const second = samples.slice(Math.floor(samples.length / 2))
  const [first, last] = [second[0]!, second.at(-1)!]
  const perHour = (of: (sample: Sample) => number, some = second) => {
    const { slope, plusMinus } = slopeOf(some.map((one): Point => ({ x: one.minute / 60, y: of(one) })))
    return `${slope.toFixed(1)} ± ${plusMinus.toFixed(1)}`
  }
  const quarters = QUARTERS.map((end, at) => samples.slice(QUARTERS[at - 1] ?? 0, end))
  const all = figuresOf(outcomes)
  const writes = last.writes - first.writes
  const rows = (Object.keys(shares) as Operation[]).map((operation) => {
    const { offered, ms } = figuresOf(outcomes.filter(isOf(operation)))
    return `| ${operation} | ${offered} | ${ms.median.toFixed(0)} | ${ms.p95.toFixed(0)} | ${ms.p99.toFixed(0)} |`
  })
  return [
    '# Soak',
    '',
    `\`npm run bench -- soak\`: ${MINUTES} minutes of mixed traffic for ${PERSONAS} personas, ${RATE} requests a second on average, at`,
    `moments set beforehand, on ${availableParallelism()} cores. Each persona keeps its latest ${DOCUMENTS_KEPT} documents: older ones are deleted;`,
    'notes and conversations stay. Memory is that of the process with all its threads and children, each minute; its own is what',
    'is not mapped from files. At the end of each quarter everything is collected that can be. Slopes are of the second half where',
    'no quarter is named, by least squares; ± is twice the standard error.',
    '',
    '| | |',
    '|---|---|',
    `| requests; accepted; refused; failed | ${all.offered}; ${all.accepted}; ${all.refused}; ${all.failed} |`,
    `| own memory, MiB an hour: each quarter | ${quarters.map((some) => perHour(({ own }) => own / 2 ** 20, some)).join('; ')} |`,
    `| own memory after collecting, MiB: each quarter | **${collected.map(({ own }) => mib(own)).join(', ')}** |`,
    `| live in the heap and beside it, MiB: each quarter | ${collected.map(({ live }) => mib(live)).join(', ')} |`,
    `| memory (RSS), MiB: after a minute, at half, at the end, at most | ${[samples[0]!, first, last].map(({ rss }) => mib(rss)).join(', ')}, ${mib(Math.max(...samples.map(({ rss }) => rss)))} |`,
    `| descriptors an hour; at the end | ${perHour(({ descriptors }) => descriptors)}; ${last.descriptors} |`,
    `| data folder: bytes a write; MiB at the end | ${Math.round((last.folder - first.folder) / Math.max(1, writes))}; ${mib(last.folder)} |`,
    `| longest turn of the event loop, ms of CPU | ${Math.max(...samples.map(({ turnMs }) => turnMs)).toFixed(0)} |`,
    '',
    '| operation | requests | median, ms | 95 %, ms | 99 %, ms |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
