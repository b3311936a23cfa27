// Writes the pages of docs/reference from the program's own tables. Run by `npm run reference`.
import { writeFileSync } from 'node:fs'
import { referencePages } from './pages.ts'

for (const [name, text] of Object.entries(referencePages())) writeFileSync(new URL(name, import.meta.url), text)
