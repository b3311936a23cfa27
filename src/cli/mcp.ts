// `memoir mcp`: the Model Context Protocol on standard input and output, for agents that start programs.
import { once } from 'node:events'
import type { Command } from 'commander'
import type { Run } from './connection.ts'

export function mcpCommand(program: Command, run: Run): void {
  program
    .command('mcp')
    .description('serve agents over the Model Context Protocol on standard input and output')
    .action(() =>
      run(async ({ service }) => {
        // Loaded only here: no other command needs the protocol.
        const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
        const { createMcpServer } = await import('../mcp/server.ts')
        const onBug = (error: unknown): string => {
          console.error(error)
          return 'Something went wrong inside Memoir; its standard error has more.'
        }
        const serving = serveStdio(() => createMcpServer({ service: service(), onBug }), {
          onerror: (error) => console.error(error.message),
        })
        await Promise.race([once(process.stdin, 'close'), once(process, 'SIGINT'), once(process, 'SIGTERM')])
        await serving.close()
      }),
    )
}
