// Doors for programs that speak another protocol. They are outside of OpenAPI: those protocols describe themselves.
import { z } from 'zod'
import { operation } from './operation.ts'

// Its calls count as messages do: most of them wait for the models.
export const mcpDoor = operation({
  name: 'mcp',
  method: 'POST',
  path: '/mcp',
  summary: 'The Model Context Protocol',
  scope: 'message',
  answer: z.unknown(),
  errors: {},
})
