// `npm run bench -- NAME`: runs benchmarks/NAME.ts, prints its report and keeps it in benchmarks/results/NAME.md.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'

const name = process.argv[2] ?? ''
const names = readdirSync(import.meta.dirname).flatMap((file) => /^(?!run\.)([\w-]+)\.ts$/.exec(file)?.[1] ?? [])

if (!names.includes(name)) {
  console.error(`Which benchmark? npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  process.exit(1)
}
const { run } = (await import(`./${name}.ts`)) as { run(): Promise<string> }
const report = await run()
console.log(report)
const results = new URL('results/', import.meta.url)
if (!existsSync(results)) mkdirSync(results)
writeFileSync(new URL(`${name}.md`, results), `${report.trimEnd()}\n`)
process.exit(0)
