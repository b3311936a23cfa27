// Turns what a door was handed into checked fields, or one sentence that names the field and what is wrong with it.
import type { z } from 'zod'
import { namedFields } from '../contract/operation.ts'
import { AppError } from '../domain/errors.ts'

export function validate<T extends z.ZodObject>(schema: T, given: unknown, textCharacters: number): z.output<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new AppError('invalid', 'The body must be a JSON object.')
  }
  const fields = namedFields(schema, given as Record<string, unknown>)
  const result = schema.safeParse(fields)
  if (!result.success) {
    const issue = result.error.issues[0]!
    throw new AppError('invalid', `${issue.path.join('.') || 'The body'} ${issue.message}.`)
  }
  for (const [name, value] of Object.entries(result.data)) {
    if (typeof value === 'string' && value.length > textCharacters) {
      throw new AppError('too_large', `${name} is longer than ${textCharacters} characters.`)
    }
  }
  return result.data
}
