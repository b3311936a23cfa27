// What a hundred million personas would take, from what one was measured to cost. A day's questions are played against the
// caches of the processes, a thousandth of everything, because how often a persona is found in memory cannot be multiplied.

export type Costs = {
  bytes: number // of one persona in the database
  hotBytes: number // of one persona in memory
  coldMs: number // to load one that is not there
  messageCpuMs: number
  messageDatabaseCpuMs: number
  uploadCpuMs: number
  uploadDatabaseCpuMs: number
  learnCpuMs: number // of one memory
}

export const assumed = {
  personas: 100_000_000,
  activeADay: 0.05,
  messagesEach: 10,
  memoriesEach: 2,
  busiestHour: 0.1, // of the day
  cacheMib: 1_024, // of each process
  busyAtMost: 0.6, // of a core
  coresOfADatabase: 32,
  bytesOfADatabase: 4e12,
  copies: 3,
}

export function simulate(costs: Costs) {
  const active = assumed.personas * assumed.activeADay
  const perSecond = (each: number) => (active * each * assumed.busiestHour) / 3600
  const [messages, memories] = [perSecond(assumed.messagesEach), perSecond(assumed.memoriesEach)]
  const cores = (ms: number) => ms / 1000 / assumed.busyAtMost
  const servingCores = (missing: number) =>
    cores(messages * (costs.messageCpuMs + missing * costs.coldMs) + memories * costs.uploadCpuMs)
  // Processes and cache misses depend on each other: a few rounds settle them.
  let processes = Math.ceil(servingCores(1))
  let found = { anywhere: 0, atHome: 0 }
  for (let round = 0; round < 4; round++) {
    found = hits(processes, Math.floor((assumed.cacheMib * 2 ** 20) / costs.hotBytes))
    processes = Math.max(2, Math.ceil(servingCores(1 - found.atHome)))
  }
  const databaseCores = cores(messages * costs.messageDatabaseCpuMs + memories * costs.uploadDatabaseCpuMs)
  const bytes = assumed.personas * costs.bytes
  return {
    messages,
    memories,
    processes,
    processesAnywhere: Math.ceil(servingCores(1 - found.anywhere)),
    found,
    learners: Math.ceil(cores(memories * costs.learnCpuMs)),
    bytes,
    databaseCores,
    databases: Math.ceil(Math.max(bytes / assumed.bytesOfADatabase, databaseCores / assumed.coresOfADatabase)),
  }
}

const SCALE = 1_000

// The share of questions that find their persona in memory: sent to any process, and sent to the persona's own.
function hits(processes: number, fits: number): { anywhere: number; atHome: number } {
  const personas = Math.round((assumed.personas * assumed.activeADay) / SCALE)
  const questions = personas * assumed.messagesEach
  // A thousandth of the personas and of each process's room; the processes stay as many as they are.
  const room = Math.max(1, Math.round(fits / SCALE))
  const play = (processOf: (persona: number, random: number) => number) => {
    const caches = Array.from({ length: processes }, () => new Set<number>())
    const random = randomFrom(7)
    let [asked, found] = [0, 0]
    for (let n = 0; n < questions; n++) {
      const persona = popular(random(), personas)
      const cache = caches[processOf(persona, random()) % processes]!
      // The first half of the day fills the caches.
      if (n >= questions / 2) {
        asked++
        if (cache.has(persona)) found++
      }
      cache.delete(persona)
      cache.add(persona)
      if (cache.size > room) cache.delete(cache.values().next().value!)
    }
    return found / asked
  }
  return { anywhere: play((_, random) => Math.floor(random * processes)), atHome: play((persona) => persona) }
}

// The n-th most asked persona is asked in proportion to 1/n.
const popular = (random: number, personas: number): number => Math.min(personas - 1, Math.floor(personas ** random) - 1)

function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
