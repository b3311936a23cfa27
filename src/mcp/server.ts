// A Model Context Protocol server for one caller: tools, documents as resources, a prompt for each persona. All of it
// goes through the operations of the service, in process or remote, which decide what the caller may do.
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type Tool as ToolListing,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import packaged from '../../package.json' with { type: 'json' }
import type { Service } from '../contract/public-api.ts'
import { AppError } from '../domain/errors.ts'
import { documentTools } from './document-tools.ts'
import { listPrompts, PromptArguments, promptFor } from './prompts.ts'
import { documentOf, listResources, template } from './resources.ts'
import { talkTools } from './talk-tools.ts'
import { argumentsOf, type Tool } from './tool.ts'

export type McpNeeds = {
  service: Service
  // Told of an error that is not ours to explain; answers with the sentence for the caller.
  onBug(error: unknown): string
}

const tools = [...talkTools, ...documentTools]
const listings = tools.map((tool) => ({ scope: tool.scope, listing: list(tool) }))

const INSTRUCTIONS =
  'Personas that answer from memory. Ask one with `ask`: the reply comes with its confidence (0 to 100) and sources; ' +
  'tell both to whoever reads your answer, and do not fill in what a persona does not know. `remember` and the ' +
  '`learn_` tools add to what a persona knows: use them only when asked to.'

export function createMcpServer(needs: McpNeeds): Server {
  const { service } = needs
  const server = new Server(
    { name: 'memoir', title: 'Memoir', version: packaged.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  )
  // Only what this key may use; one called all the same is refused by the service.
  server.setRequestHandler('tools/list', () =>
    told(needs, async () => {
      const { scopes } = await service.personas({})
      const usable = listings.filter(({ scope }) => !scope || scopes.includes(scope))
      return { tools: usable.map(({ listing }) => listing) }
    }),
  )
  server.setRequestHandler('tools/call', ({ params }) => call(needs, params.name, params.arguments ?? {}))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: template, name: 'document', title: 'A document', mimeType: 'text/plain' }],
  }))
  server.setRequestHandler('resources/list', ({ params }) => told(needs, () => listResources(service, params?.cursor)))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    told(needs, async () => {
      const document = documentOf(uri)
      if (!document) throw new ResourceNotFoundError(uri, `A resource here is named ${template}.`)
      const named = { DomainName: document.persona, DocumentId: document.id }
      const { text } = await service.documentById({}, named)
      return { contents: [{ uri, mimeType: 'text/plain', text }] }
    }),
  )
  server.setRequestHandler('prompts/list', () => told(needs, async () => ({ prompts: await listPrompts(service) })))
  server.setRequestHandler('prompts/get', ({ params }) =>
    told(needs, () => {
      const { question } = argumentsOf(PromptArguments, params.arguments ?? {}) as z.output<typeof PromptArguments>
      return promptFor(service, params.name, question)
    }),
  )
  return server
}

async function call(needs: McpNeeds, name: string, given: Record<string, unknown>): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool; tools/list names them.')
  try {
    const { text, content } = await tool.run(needs.service, argumentsOf(tool.input, given))
    return { content: [{ type: 'text', text }], structuredContent: content }
  } catch (error) {
    const [text, code] = error instanceof AppError ? [sentenceOf(error, tool), error.code] : [needs.onBug(error), 'bug']
    return { isError: true, content: [{ type: 'text', text }], _meta: { 'memoir/error': code } }
  }
}

// Says the same for a scope that is missing and a persona that is not this key's, so that nobody can probe.
function sentenceOf(error: AppError, { scope }: Pick<Tool, 'scope'>): string {
  if (error.code !== 'unauthorized' || !scope) return error.message
  return `${error.message} The key lacks the scope ${scope}, or the persona is not one of its own.`
}

// Outside of tools a refusal is an error of the protocol.
async function told<T>({ onBug }: McpNeeds, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (!(error instanceof AppError)) throw new ProtocolError(ProtocolErrorCode.InternalError, onBug(error))
    const isTheirs = ['invalid', 'not_found', 'unauthorized', 'too_large'].includes(error.code)
    const code = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
    throw new ProtocolError(code, error.message, { code: error.code })
  }
}

function list({ name, title, description, changes, asksOutside = false, input, output }: Tool): ToolListing {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations: { readOnlyHint: !changes, destructiveHint: false, openWorldHint: asksOutside },
  }
}

function schemaOf(type: z.ZodObject, io: 'input' | 'output'): ToolListing['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // It only says "no bound".
      if (jsonSchema.maxLength === Number.MAX_SAFE_INTEGER) delete jsonSchema.maxLength
    },
  })
  return schema as ToolListing['inputSchema']
}
