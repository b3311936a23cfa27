// Loaded into a service whose clock jumps (--import): it is off by so many milliseconds, at the start and as it is told.
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
const tell = Date.now
const now = () => tell() + aheadMs

globalThis.Date = new Proxy(Date, {
  construct: (target, given) => (given.length === 0 ? new target(now()) : Reflect.construct(target, given)),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('message', (said) => {
  aheadMs = Number(said)
  process.send!('moved')
})
process.channel?.unref()
