// `memoir compact`
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { AppError } from '../domain/errors.ts'

export function upkeepCommands(program: Command): void {
  program
    .command('compact')
    .description('free the space of what was deleted, so that no byte of it is left in the data folder')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      if (process.env.MEMOIR_URL)
        throw new AppError('invalid', 'Only a data folder can be compacted: unset MEMOIR_URL.')
      if (!json) console.log('Compacting. This takes as long as copying the data folder…')
      const { openRooms } = await import('../start.ts')
      const rooms = await openRooms(readConfig({ ...process.env, MEMOIR_LOG: 'error' }))
      const { bytesBefore, bytesAfter } = await rooms.store.compact().finally(rooms.close)
      if (json) console.log(JSON.stringify({ bytes_before: bytesBefore, bytes_after: bytesAfter }))
      else console.log(`Compacted: ${bytesBefore} bytes before, ${bytesAfter} after.`)
    })
}
