// The service past what it can do: callers in turn and on a schedule, what is refused, what becomes of the rest, and of a quiet persona.
import { availableParallelism } from 'node:os'
import { type Figures, figuresOf } from './traffic/figures.ts'
import { callInTurn, callOnSchedule, isOf, type Outcome } from './traffic/loops.ts'
import { mixOf, type Operation, shares } from './traffic/mix.ts'
import { type Service, startService } from './traffic/service.ts'

const PHASE_MS = 1000 * Number(process.env.MEMOIR_BENCH_SECONDS ?? 20)
const DRAIN_MS = 120_000
const PERSONAS = 8
const CALLERS = [4, 16, 64, 256]
const OVER_CAPACITY = [0.5, 1, 2, 4]
const OPEN_MS = 2 * PHASE_MS // a line, once it stands, is kept shorter: the second half shows it
const FLOOD_OVER_CAPACITY = 4
const QUIET_RATE = 1 // messages a second

type Phase = {
  name: string
  outcomes: Outcome[]
  seconds: number
  turnMs: { cpu: number; wall: number }
  rss: number
  waiting: number // documents to learn, when it ended
}

export async function run(): Promise<string> {
  const service = await startService(PERSONAS)
  try {
    const phase = createPhases(service)
    const mix = () => mixOf(service.callers)
    await phase('warm', () => callInTurn(service.url, mix(), { callers: 2, ms: PHASE_MS / 2 }))
    const alone = await phase('1, unloaded', () => callInTurn(service.url, mix(), { callers: 1, ms: PHASE_MS }))
    const closed = [alone]
    for (const callers of CALLERS)
      closed.push(await phase(String(callers), () => callInTurn(service.url, mix(), { callers, ms: PHASE_MS })))
    const capacity = Math.max(...closed.map(rateOf))
    const open: Phase[] = []
    for (const times of OVER_CAPACITY) {
      const rate = capacity * times
      const name = `${times} × ${capacity.toFixed(0)}`
      open.push(await phase(name, () => callOnSchedule(service.url, mix(), { rate, ms: OPEN_MS })))
    }
    return report({ alone, closed, open, fair: await beside(service, phase, capacity) })
  } finally {
    await service.stop()
  }
}

type RunPhase = ReturnType<typeof createPhases>

function createPhases(service: Service) {
  return async (name: string, act: () => Promise<Outcome[]>): Promise<Phase> => {
    await service.learned(DRAIN_MS) // what the one before left
    await service.turns()
    let rss = 0
    const looking = setInterval(() => {
      rss = Math.max(rss, service.memory().rss)
    }, 500)
    const began = performance.now()
    const outcomes = await act()
    clearInterval(looking)
    const seconds = (performance.now() - began) / 1000
    const { cpuMs, wallMs } = await service.turns()
    const waiting = await service.waiting()
    const done = { name, outcomes, seconds, turnMs: { cpu: cpuMs, wall: wallMs }, rss, waiting }
    console.error(name, JSON.stringify({ ...figuresOf(outcomes), seconds, turnMs: done.turnMs, waiting }))
    return done
  }
}

type Fair = { alone: Figures; beside: Figures; flood: Figures }

// One persona is asked now and then; then another one is flooded with messages meanwhile.
async function beside({ url, callers }: Service, phase: RunPhase, capacity: number): Promise<Fair> {
  const [flooded, quiet] = [callers[0]!, callers[1]!]
  const ask = () => callOnSchedule(url, mixOf([quiet], { only: 'message' }), { rate: QUIET_RATE, ms: PHASE_MS })
  const flood = () =>
    callOnSchedule(url, mixOf([flooded], { only: 'message', seed: 2 }), {
      rate: capacity * FLOOD_OVER_CAPACITY,
      ms: PHASE_MS,
    })
  const alone = await phase('quiet alone', ask)
  const both = await phase('quiet beside a flood', async () => (await Promise.all([ask(), flood()])).flat())
  const of = (persona: string) => both.outcomes.filter(({ sent }) => sent.caller.persona === persona)
  return {
    alone: figuresOf(alone.outcomes),
    beside: figuresOf(of(quiet.persona)),
    flood: figuresOf(of(flooded.persona)),
  }
}

const rateOf = ({ outcomes, seconds }: Phase): number => figuresOf(outcomes).accepted / seconds

const whole = (value: number): string => (Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en'))
const times = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(1)}×` : '–')
const share = (part: number, all: number): string => (all === 0 ? '–' : `${((100 * part) / all).toFixed(0)} %`)
const steps = ({ ms }: Figures): string => `${whole(ms.median)} / ${whole(ms.p95)} / ${whole(ms.p99)}`

function report({ alone, closed, open, fair }: { alone: Phase; closed: Phase[]; open: Phase[]; fair: Fair }): string {
  const mixed = (Object.entries(shares) as [Operation, number][]).map(([name, of]) => `${of} % ${name}`).join(', ')
  const unloaded = (operation: Operation) => figuresOf(alone.outcomes.filter(isOf(operation))).ms
  return [
    '# Load',
    '',
    `\`npm run bench -- load\`: ${PERSONAS} personas, each with a key and an address of its own, on ${availableParallelism()} cores that service and callers`,
    `share; ${PHASE_MS / 1000} s a line; no rate limit, the reader on, learning in the same process. Of the requests, ${mixed}.`,
    'Times are of accepted requests: median / 95 % / 99 %, in milliseconds. Refused: 429 or 503; told: with `Retry-After`.',
    '',
    '## Callers who wait for an answer',
    '',
    'Whoever is refused comes back after a second.',
    '',
    ...phaseTable(closed, 'callers'),
    '',
    '## Callers who come whether or not others are served',
    '',
    `Times count from the moment a request was due. ${OPEN_MS / 1000} s a line.`,
    '',
    ...phaseTable(open, 'a second, of the most that was answered above'),
    '',
    '## What is accepted, against the same unloaded',
    '',
    `Where callers come whether or not others are served: of all ${OPEN_MS / 1000} s, and of the second half.`,
    '',
    `| | ${(Object.keys(shares) as Operation[]).join(' | ')} |`,
    `|---|${'---|'.repeat(Object.keys(shares).length)}`,
    ...[alone, ...open.flatMap((phase) => [phase, secondHalf(phase)])].map((phase) => ratioRow(phase, unloaded)),
    '',
    '## A quiet persona beside a flooded one',
    '',
    `One message a second for one persona, alone, then while another gets ${FLOOD_OVER_CAPACITY} times as many messages as the service could answer requests.`,
    '',
    '| | messages | accepted | refused (told) | ms |',
    '|---|---|---|---|---|',
    ...Object.entries({ 'quiet, alone': fair.alone, 'quiet, beside the flood': fair.beside, flooded: fair.flood }).map(
      ([name, one]) =>
        `| ${name} | ${one.offered} | ${share(one.accepted, one.offered)} | ${one.refused} (${share(one.told, one.refused)}) | ${steps(one)} |`,
    ),
    '',
    `The quiet persona’s median beside the flood is **${times(fair.beside.ms.median / fair.alone.ms.median)}** of that alone.`,
  ].join('\n')
}

const phaseTable = (phases: Phase[], what: string): string[] => [
  `| ${what} | offered | accepted a second | refused (told) | failed | ms | longest turn of the event loop, ms CPU / wall | memory, MiB | left to learn |`,
  '|---|---|---|---|---|---|---|---|---|',
  ...phases.map((phase) => {
    const all = figuresOf(phase.outcomes)
    const { turnMs, rss, waiting } = phase
    return `| ${phase.name} | ${all.offered} | ${rateOf(phase).toFixed(1)} | ${share(all.refused, all.offered)} (${share(all.told, all.refused)}) | ${all.failed} | ${steps(all)} | ${whole(turnMs.cpu)} / ${whole(turnMs.wall)} | ${whole(rss / 2 ** 20)} | ${waiting} |`
  }),
]

function secondHalf({ name, outcomes }: Phase): Pick<Phase, 'name' | 'outcomes'> {
  const middle = outcomes[0]!.due + OPEN_MS / 2
  return { name: `${name}, second half`, outcomes: outcomes.filter(({ due }) => due >= middle) }
}

// The medians, and how many times as long the median and the slow ones took.
function ratioRow(
  { name, outcomes }: Pick<Phase, 'name' | 'outcomes'>,
  unloaded: (operation: Operation) => Figures['ms'],
): string {
  const cells = (Object.keys(shares) as Operation[]).map((operation) => {
    const { ms } = figuresOf(outcomes.filter(isOf(operation)))
    const base = unloaded(operation)
    return `${whole(ms.median)} ms, ${times(ms.median / base.median)} (95 %: ${times(ms.p95 / base.p95)})`
  })
  return `| ${name} | ${cells.join(' | ')} |`
}
