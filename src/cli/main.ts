// Entry point of the command line. Node's compile cache makes the next command start faster.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runProgram } = await import('./program.ts')
await runProgram()
