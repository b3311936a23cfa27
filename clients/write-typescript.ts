// Writes the operations of the TypeScript client: a method for each, with the types of what it takes and answers.
import type { Described, Field, Schema } from './described.ts'

export function typescript(operations: Described[]): string {
  const shapes = operations.map((operation) => `${fieldsType(operation)}\n\n${answerType(operation)}`)
  return `// Written by \`npm run clients\` from openapi.json: every public operation, with what it takes and answers.

export type File = { bytes: Blob | Uint8Array; name?: string }

// onHeaders is told the headers of an answer: x-memoir-document-id, ratelimit and others.
export type Options = { signal?: AbortSignal; idempotencyKey?: string; onHeaders?: (headers: Headers) => void }

export type Operation = {
  method: string
  path: string
  query: readonly string[] // the fields that go into the address
  takesFile?: boolean
}

${shapes.join('\n\n')}

export const operations = {
${operations.map(tableRow).join('\n')}
} as const satisfies Record<string, Operation>

export abstract class Operations {
  protected abstract call<T>(operation: Operation, fields: object, options?: Options): Promise<T>
  protected abstract stream<T>(operation: Operation, fields: object, options?: Options): AsyncGenerator<T>

${operations.map(method).join('\n\n')}
}
`
}

const typeName = (name: string, suffix: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}${suffix}`

function fieldsType({ name, fields, takesFile }: Described): string {
  const lines = fields.map(fieldLine)
  if (takesFile) lines.unshift('  file: File')
  const shape = lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n}`
  return `export type ${typeName(name, 'Fields')} = ${shape}`
}

const fieldLine = ({ name, schema, isRequired, about }: Field): string =>
  `${about && `  /** ${about.replaceAll('*/', '* /')} */\n`}  ${name}${isRequired ? '' : '?'}: ${typeOf(schema)}`

// Of a stream each event is a part: the first ones have text, the last one the rest.
function answerType({ name, answer, isStream }: Described): string {
  const given = isStream ? { ...answer, required: ['ai_message', 'SessionId'] } : answer
  return `export type ${typeName(name, 'Answer')} = ${typeOf(given)}`
}

const tableRow = ({ name, method: verb, path, fields, takesFile }: Described): string => {
  const query = fields.filter(({ place }) => place === 'query').map((field) => `'${field.name}'`)
  return `  ${name}: { method: '${verb}', path: '${path}', query: [${query.join(', ')}]${takesFile ? ', takesFile: true' : ''} },`
}

function method({ name, summary, fields, takesFile, isStream }: Described): string {
  const isOptional = !takesFile && fields.every(({ isRequired }) => !isRequired)
  const given = `fields: ${typeName(name, 'Fields')}${isOptional ? ' = {}' : ''}, options?: Options`
  const answer = `${typeName(name, 'Answer')}>`
  const returns = isStream ? `AsyncGenerator<${answer}` : `Promise<${answer}`
  const verb = isStream ? 'stream' : 'call'
  return `  /** ${summary}. */
  ${name}(${given}): ${returns} {
    return this.${verb}(operations.${name}, fields, options)
  }`
}

export function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value: unknown) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `Array<${schema.items ? typeOf(schema.items) : 'unknown'}>`
  if (schema.type === 'object') return objectType(schema)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

function objectType({ properties, required = [] }: Schema): string {
  if (!properties) return 'Record<string, unknown>'
  const lines = Object.entries<Schema>(properties).map(([name, schema]) =>
    fieldLine({ name, schema, isRequired: required.includes(name), about: schema.description ?? '', place: 'body' }),
  )
  return `{\n${lines.join('\n')}\n}`
}
