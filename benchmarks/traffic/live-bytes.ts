// Loaded into a service that is soaked (--import): tells what is left in its memory after everything was collected.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('message', (said) => {
  if (said !== 'collect and tell') return
  collect()
  const { heapUsed, external } = process.memoryUsage()
  process.send!(heapUsed + external)
})
process.channel?.unref()
