// Writes openapi.json, so that a change of the interface shows in the diff. Run by `npm run openapi`.
import { writeFileSync } from 'node:fs'
import { openApi } from './openapi.ts'

writeFileSync(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(openApi(), null, 2)}\n`)
