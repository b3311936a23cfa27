// `memoir doctor`
import type { Command } from 'commander'
import type { Finding } from '../doctor/doctor.ts'

const marks: Record<Finding['state'], string> = { well: '✓', look: '!', bad: '✗' }

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('say what is wrong with a set-up, and what to do; with MEMOIR_URL, of the service there')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { MEMOIR_URL: url, MEMOIR_KEY, MEMOIR_ADMIN_KEY } = process.env
      const findings: Finding[] = []
      const examined = url
        ? (await import('../doctor/service.ts')).examineService(url, MEMOIR_KEY || MEMOIR_ADMIN_KEY)
        : (await import('../doctor/doctor.ts')).examine(process.env)
      for await (const finding of examined) {
        findings.push(finding)
        if (!json) print(finding)
      }
      const isBad = findings.some(({ state }) => state === 'bad')
      if (json) console.log(JSON.stringify({ ok: !isBad, findings }, null, 2))
      else console.log(isBad ? '\nMemoir cannot work like this.' : '\nMemoir can work like this.')
      if (isBad) process.exitCode = 1
    })
}

function print({ about, state, says, todo }: Finding): void {
  console.log(`${marks[state]} ${about.padEnd(12)} ${says}`)
  if (todo) console.log(`  ${''.padEnd(12)} → ${todo}`)
}
