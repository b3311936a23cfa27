// Doors for programs that speak another protocol. They are outside of OpenAPI: those protocols describe themselves.
import { z } from 'zod'
import type { Scope } from '../domain/access.ts'
import { type Operation, operation } from './operation.ts'

const door = (name: string, method: 'GET' | 'POST', path: string, summary: string, scope?: Scope): Operation =>
  operation({ name, method, path, summary, ...(scope && { scope }), answer: z.unknown(), errors: {} })

// Its calls count as messages do: most of them wait for the models.
export const mcpDoor = door('mcp', 'POST', '/mcp', 'The Model Context Protocol', 'message')

const OPENAI = '/openai/v1'

export const openAiDoors = {
  chat: door('openAiChat', 'POST', `${OPENAI}/chat/completions`, 'A reply as a chat completion', 'message'),
  responses: door('openAiResponses', 'POST', `${OPENAI}/responses`, 'A reply as a response', 'message'),
  embeddings: door('openAiEmbeddings', 'POST', `${OPENAI}/embeddings`, 'The vectors of texts', 'message'),
  models: door('openAiModels', 'GET', `${OPENAI}/models`, 'The personas of the key'),
  model: door('openAiModel', 'GET', `${OPENAI}/models/{model}`, 'One of them'),
}

export const isOpenAi = (url: string): boolean => url.startsWith(`${OPENAI}/`)

export const doors: Operation[] = [mcpDoor, ...Object.values(openAiDoors)]
