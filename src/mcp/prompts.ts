// A prompt for each persona: a question that the agent puts to it, and how to tell what came back.
import { z } from 'zod'
import * as field from '../contract/fields.ts'
import type { Service } from '../contract/public-api.ts'
import { AppError } from '../domain/errors.ts'

export const PromptArguments = z.object({ question: field.filledText.describe('What to ask.') })

export async function listPrompts(service: Service) {
  const { personas, scopes } = await service.personas({})
  if (!scopes.includes('message')) return []
  return personas.map(({ DomainName, ai_name }) => ({
    name: DomainName,
    title: `Ask ${ai_name}`,
    description: `Ask ${ai_name}, who answers from memory and says how sure that is.`,
    arguments: [{ name: 'question', description: 'What to ask.', required: true }],
  }))
}

export async function promptFor(service: Service, name: string, question: string) {
  const known = (await listPrompts(service)).find((prompt) => prompt.name.toLowerCase() === name.toLowerCase())
  if (!known) throw new AppError('not_found', 'There is no such prompt; prompts/list tells which there are.')
  const text =
    `Ask the persona "${known.name}" with the tool ask, and answer from its reply alone. Say how sure it is and name ` +
    `its sources. Where it does not know, or may not say, tell me so instead of guessing.\n\n${question}`
  return {
    description: known.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}
