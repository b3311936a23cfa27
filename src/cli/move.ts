// `memoir move`: from the store the settings name to another one, with everything.
import { progress } from '@clack/prompts'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { printTable } from './print.ts'

export function moveCommand(program: Command): void {
  program
    .command('move')
    .description(
      'copy everything to another store: postgres://… or a data folder. Continues a move that was interrupted.',
    )
    .requiredOption('--to <place>', 'where to: postgres://user:password@host/database, or a folder')
    .option('--json', 'print JSON')
    .action(async ({ to, json }: { to: string; json?: boolean }) => {
      if (process.env.MEMOIR_URL) throw new AppError('invalid', 'Only a store itself can be moved: unset MEMOIR_URL.')
      const from = readConfig({ ...process.env, MEMOIR_LOG: 'error' })
      const { MEMOIR_DATABASE_URL: _, ...rest } = process.env
      const isDatabase = /^postgres(?:ql)?:/.test(to)
      const target = readConfig({ ...rest, ...(isDatabase ? { MEMOIR_DATABASE_URL: to } : { MEMOIR_DATA: to }) })
      const { moveStore } = await import('../stores.ts')
      const moved = await shown(json, (onProgress) => moveStore(from, target, onProgress))
      const rows = moved.map(({ table, rows, hash }) => ({ table, rows, sha256: hash.slice(0, 16) }))
      if (json) return console.log(JSON.stringify({ moved }, null, 2))
      printTable(rows, '')
      console.log(
        `\nEvery row was read again on both sides and is the same. The store you moved from is as it was.\n` +
          `From now on: ${isDatabase ? 'MEMOIR_DATABASE_URL=postgres://…' : `MEMOIR_DATA=${target.dataFolder}, and MEMOIR_DATABASE_URL unset`}`,
      )
    })
}

type At = { step: string; table: string; done: number; of: number }

// A bar for each table at a terminal, a line for each elsewhere, nothing for programs.
async function shown<T>(json: boolean | undefined, act: (onProgress: (at: At) => void) => Promise<T>): Promise<T> {
  if (json) return act(() => {})
  let name = ''
  let bar: ReturnType<typeof progress> | undefined
  let before = 0
  const moved = await act(({ step, table, done, of }) => {
    if (`${step} ${table}` !== name) {
      bar?.stop(name)
      name = `${step} ${table}`
      before = 0
      if (process.stdout.isTTY) {
        bar = progress({ max: of })
        bar.start(name)
      } else console.log(`${name}: ${of} rows`)
    }
    bar?.advance(done - before)
    before = done
  })
  bar?.stop(name)
  return moved
}
