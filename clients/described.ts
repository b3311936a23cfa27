// The public interface as the clients need it, read from openapi.json.
import { readFileSync } from 'node:fs'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema has as many shapes as it has words
export type Schema = Record<string, any>

export type Field = { name: string; place: 'query' | 'body'; schema: Schema; isRequired: boolean; about: string }

export type Described = {
  name: string
  method: string
  path: string
  summary: string
  fields: Field[] // each name once: what may stand in both places goes into the body
  takesFile: boolean
  takesOnce: boolean // an Idempotency-Key
  isStream: boolean
  answer: Schema
}

export function describedOperations(): Described[] {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
  return Object.entries<Schema>(paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods)
      .filter(([, operation]) => operation.tags.includes('public'))
      .map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  )
}

function describe(method: string, path: string, operation: Schema): Described {
  const parameters: Schema[] = operation.parameters ?? []
  const content = operation.requestBody?.content ?? {}
  const form = content['multipart/form-data']?.schema
  const body = form ? form.properties.message_request : content['application/json']?.schema
  const required: string[] = body?.required ?? []
  const inBody = Object.entries<Schema>(body?.properties ?? {}).map(
    ([name, schema]): Field => ({
      name,
      place: 'body',
      schema,
      isRequired: required.includes(name),
      about: schema.description ?? '',
    }),
  )
  const inQuery = parameters
    .filter((one) => one.in === 'query' && !inBody.some(({ name }) => name === one.name))
    .map(
      (one): Field => ({
        name: one.name,
        place: 'query',
        schema: one.schema,
        isRequired: one.required,
        about: one.description ?? '',
      }),
    )
  const [type, answer] = Object.entries<Schema>(operation.responses['200'].content)[0]!
  return {
    name: operation.operationId,
    method,
    path,
    summary: operation.summary,
    fields: [...inBody, ...inQuery],
    takesFile: form !== undefined,
    takesOnce: parameters.some((one) => one.name === 'Idempotency-Key'),
    isStream: type === 'text/event-stream',
    answer: answer.schema,
  }
}
