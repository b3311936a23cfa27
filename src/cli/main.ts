// Entry point of the command line. Node's compile cache makes the next command start faster.
import { enableCompileCache } from 'node:module'
import { beginWithFewArenas } from './few-arenas.ts'

if (process.argv[2] === 'serve') beginWithFewArenas()
enableCompileCache()
const { runProgram } = await import('./program.ts')
await runProgram()
