// What a tool is: its schemas, what it needs of a key, and its way to an operation of the service.
import type { z } from 'zod'
import * as field from '../contract/fields.ts'
import { namedFields } from '../contract/operation.ts'
import type { Service } from '../contract/public-api.ts'
import type { Scope } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'

// `text` for those who read, `content` for those who count.
export type Found<Out extends z.ZodObject = z.ZodObject> = { text: string; content: z.output<Out> }

export type Tool<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> = {
  name: string
  title: string
  description: string
  scope?: Scope // that the key must have
  changes: boolean // adds to what the persona knows
  asksOutside?: boolean // fetches from the web
  input: In
  output: Out
  run(service: Service, given: z.output<In>): Promise<Found<Out>>
}

// Each tool is checked against its own schemas; in the table they are alike.
export const tool = <In extends z.ZodObject, Out extends z.ZodObject>(definition: Tool<In, Out>): Tool =>
  definition as unknown as Tool

export const persona = field.domainName
  .optional()
  .describe('Which persona, by its domain name. May be left out where the key is for one.')

// Agents send null and "" for what they leave out.
export function argumentsOf(schema: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> {
  const result = schema.safeParse(namedFields(schema, given))
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  throw new AppError('invalid', `${issue.path.join('.') || 'The arguments'} ${issue.message}.`)
}

// The one asked for; else the key's default, or the only one it is for.
export async function personaOf(service: Service, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return asked
  const { personas } = await service.personas({})
  const chosen = personas.find(({ is_default }) => is_default) ?? (personas.length === 1 ? personas[0] : undefined)
  if (chosen) return chosen.DomainName
  if (personas.length === 0) throw new AppError('not_found', 'There is no persona that this key is for.')
  throw new AppError('invalid', 'persona is missing; list_personas tells which there are.')
}
