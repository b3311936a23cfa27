// How well documents are read, on public files: one table, aims beside results.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createExtractor } from '../src/extract/extractor.ts'
import { measureDocling, measureDocx, measurePdf, measureTika } from './extract/files.ts'
import { measureMalformed, measureSsrf } from './extract/hostile.ts'
import { measureArticles, measureProfiles, measureVideos } from './extract/pages.ts'
import type { Measured, Reading } from './extract/reading.ts'
import { createReading } from './extract/reading.ts'

const measures: Record<string, (read: Reading, folder: string) => Promise<Measured[]>> = {
  files_tika: measureTika,
  files_docling: measureDocling,
  pdf_pdfjs: measurePdf,
  docx: measureDocx,
  html_aeb: measureArticles,
  youtube: measureVideos,
  profiles: measureProfiles,
  malformed: measureMalformed,
  ssrf: measureSsrf,
}

export async function run(only: string[] = process.env.MEMOIR_BENCH_ONLY?.split(',') ?? []): Promise<string> {
  const folder = process.env.MEMOIR_EVAL ?? join(import.meta.dirname, '../../shared/eval')
  if (!existsSync(folder)) return 'The files to measure with are not here: set MEMOIR_EVAL to their folder.'
  const extractor = createExtractor()
  const rows: string[] = []
  const details: string[] = []
  try {
    for (const [name, measure] of Object.entries(measures)) {
      if (only.length > 0 && !only.includes(name)) continue
      for (const measured of await measure(createReading(extractor), folder)) {
        const verdict = measured.reached === null ? '' : measured.reached ? 'reached' : 'missed'
        rows.push(`| ${measured.set} | ${measured.what} | ${measured.aim} | ${measured.result} | ${verdict} |`)
        if (measured.details.length > 0)
          details.push(`### ${measured.set}: ${measured.what}`, ...measured.details.map((line) => `- ${line}`), '')
      }
    }
  } finally {
    await extractor.close()
  }
  return [
    '# Reading',
    '',
    '`npm run bench -- extract`; the development halves of public sets, none of which is part of the project.',
    '',
    '| set | what | aim | result | |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    ...(details.length > 0 ? ['## What was missed', '', ...details] : []),
  ].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await run(process.argv.slice(2)))
