// The OpenAPI 3.1 description, made from the same schemas that check the requests.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { adminOperations } from './admin-api.ts'
import { adminEvents } from './admin-events.ts'
import { keepOperations } from './keep-api.ts'
import { limits } from './limits.ts'
import { documentHeader, ErrorAnswer, type Operation, withStreamed } from './operation.ts'
import { publicOperations } from './public-api.ts'

type Json = Record<string, unknown>
export type Description = {
  openapi: '3.1.0'
  info: Json
  servers: Json[]
  tags: { name: string; description: string }[]
  security: Json[]
  paths: Record<string, Record<string, Json>>
  components: Json
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export function openApi(): Description {
  const paths: Description['paths'] = {}
  const add = (operation: Operation, tag: string) => {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation, tag) }
  }
  for (const operation of Object.values(publicOperations).flatMap(withStreamed)) add(operation, 'public')
  for (const operation of [...Object.values(adminOperations), ...Object.values(keepOperations), adminEvents])
    add(operation, 'admin')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Memoir',
      version,
      description: 'AI personas that answer from memory, and know when they do not know.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      {
        name: 'public',
        description: "For callers with a persona's key. Names of body fields are matched case-insensitively.",
      },
      {
        name: 'admin',
        description: 'For the owner, with the admin key. All names are snake_case; lists come in pages.',
      },
    ],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
    },
  }
}

function describe(operation: Operation, tag: string): Json {
  const parameters = [
    ...pathParameters(operation.path),
    ...queryParameters(operation.query),
    ...(operation.once ? [idempotencyKey] : []),
  ]
  const about = [operation.about, operation.aliases && `Also served at ${operation.aliases.join(', ')}.`]
    .filter(Boolean)
    .join(' ')
  const answerType = operation.download ?? (operation.stream ? 'text/event-stream' : 'application/json')
  return {
    operationId: operation.name,
    tags: [tag],
    summary: operation.summary,
    ...(about && { description: about }),
    ...(parameters.length > 0 && { parameters }),
    ...((operation.body || operation.upload) && { requestBody: requestBody(operation) }),
    responses: {
      200: {
        description: 'Done.',
        ...(tag === 'public' && { headers: headersOf(operation) }),
        content: { [answerType]: { schema: schemaOf(operation.answer, 'output') } },
      },
      ...Object.fromEntries(
        Object.entries({ ...general, ...(operation.once && onceErrors(operation)), ...operation.errors }).map(
          ([status, text]) => [status, errorOf(text)],
        ),
      ),
    },
  }
}

const headersOf = ({ stores }: Operation): Json => ({
  ...limitHeaders,
  ...(stores && { [documentHeader]: header('The ids of the documents that this became, separated by commas.') }),
})

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters },
  description:
    'A name of your own for this request. Sent again with the same name within a day, it is answered alike ' +
    'and stored once: safe to repeat after a 503 or a lost connection.',
}

const onceErrors = ({ stores }: Operation): Record<number, string> =>
  stores
    ? { 409: 'The Idempotency-Key was used for another request.' }
    : {
        409: 'A request with this Idempotency-Key is being answered; Retry-After says when to ask again.',
        422: 'The Idempotency-Key was used for another request.',
      }

const header = (description: string): Json => ({ description, schema: { type: 'string' } })

const limitHeaders = {
  'RateLimit-Policy': header('How many requests a minute this key may send: `"minute";q=600;w=60`.'),
  RateLimit: header('How many are left, and in how many seconds all are there again: `"minute";r=599;t=1`.'),
}

const general = {
  413: 'The body or a text in it is too large.',
  415: 'Content-Type is not the one this operation takes.',
  429: 'Too many requests with this key; Retry-After says when to come back.',
  503: 'The store does not answer at the moment; Retry-After says when to come back.',
  500: 'A bug. The log has more under the id in x-request-id.',
}

const errorOf = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function requestBody(operation: Operation): Json {
  if (operation.upload) return { required: true, content: { [operation.upload]: { schema: { type: 'string' } } } }
  const fields = schemaOf(operation.body!, 'input')
  if (!operation.multipart) return { required: true, content: { 'application/json': { schema: fields } } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const form = { type: 'object', properties: { file, message_request: fields }, required: ['file'] }
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: form, encoding: { message_request: { contentType: 'application/json' } } },
    },
  }
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(query: z.ZodObject | undefined): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Ours alone, and bounds that only say "no bound".
      delete jsonSchema.blankCounts
      delete jsonSchema.nullCounts
      if (jsonSchema.maxLength === Number.MAX_SAFE_INTEGER) delete jsonSchema.maxLength
      delete jsonSchema.additionalProperties
    },
  })
  return schema
}
