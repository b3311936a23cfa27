// Where the command line begins: what was compiled once is kept, so that the next command starts at once.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./program.ts')
