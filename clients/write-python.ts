// Writes the operations of the Python client: a method for each, with keyword arguments and typed answers.
import type { Described, Field, Schema } from './described.ts'

export function python(operations: Described[]): string {
  const shapes: string[] = []
  const answers = new Map(operations.map((one) => [one.name, answerType(one, shapes)]))
  return `# Written by \`npm run clients\` from openapi.json: every public operation, with what it takes and answers.
from __future__ import annotations

from typing import Any, BinaryIO, Dict, Iterator, List, Optional, TypedDict, Union

File = Union[str, bytes, BinaryIO]  # a path, the bytes, or an open file

${shapes.join('\n\n')}


class Operations:
    """What a client can do: one method for each operation."""

    def _call(self, method: str, path: str, query: Dict[str, Any], body: Dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError

    def _stream(
        self, method: str, path: str, query: Dict[str, Any], body: Dict[str, Any], **options: Any
    ) -> Iterator[Any]:
        raise NotImplementedError

${operations.map((one) => method(one, answers.get(one.name)!)).join('\n\n')}
`
}

export const snakeCase = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

function answerType({ name, answer, isStream }: Described, shapes: string[]): string {
  const given = isStream ? { ...answer, required: ['ai_message', 'SessionId'] } : answer
  return typeOf(given, `${name[0]!.toUpperCase()}${name.slice(1)}Answer`, shapes)
}

function method(operation: Described, answer: string): string {
  const { name, summary, fields, takesFile, takesOnce, isStream } = operation
  const [required, optional] = [fields.filter((one) => one.isRequired), fields.filter((one) => !one.isRequired)]
  const parameters = [
    'self',
    ...(takesFile ? ['file: File'] : []),
    ...required.map(parameter),
    ...(optional.length > 0 || takesFile || takesOnce ? ['*'] : []),
    ...optional.map(parameter),
    ...(takesFile ? ['file_name: Optional[str] = None'] : []),
    ...(takesOnce ? ['idempotency_key: Optional[str] = None'] : []),
  ]
  const about = [...required, ...optional].map((one) => `        ${snakeCase(one.name)}: ${one.about}`.trimEnd())
  const options = [
    ...(takesFile ? ['file=file', 'file_name=file_name'] : []),
    ...(takesOnce ? ['idempotency_key=idempotency_key'] : []),
  ].map((option) => `            ${option},\n`)
  return `    def ${snakeCase(name)}(
        ${parameters.join(',\n        ')},
    ) -> ${isStream ? `Iterator[${answer}]` : answer}:
        """${summary}.${about.length > 0 ? `\n\n${about.join('\n')}\n        ` : ''}"""
        return self.${isStream ? '_stream' : '_call'}(
            "${operation.method}",
            "${operation.path}",
            ${dictionary(fields.filter(({ place }) => place === 'query'))},
            ${dictionary(fields.filter(({ place }) => place === 'body'))},
${options.join('')}        )`
}

const parameter = ({ name, schema, isRequired }: Field): string =>
  isRequired ? `${snakeCase(name)}: ${typeOf(schema)}` : `${snakeCase(name)}: Optional[${typeOf(schema)}] = None`

const dictionary = (fields: Field[]): string =>
  `{${fields.map(({ name }) => `"${name}": ${snakeCase(name)}`).join(', ')}}`

const plain: Record<string, string> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

// Objects with known fields get a name, and are written before what uses them.
function typeOf(schema: Schema, name = 'Field', shapes: string[] = []): string {
  if (schema.enum || schema.const !== undefined) return 'str'
  if (schema.anyOf) return unionOf(schema.anyOf.map((one: Schema) => typeOf(one, name, shapes)))
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type: string) => typeOf({ ...schema, type }, name, shapes)))
  if (schema.type === 'array') return `List[${schema.items ? typeOf(schema.items, `${name}Item`, shapes) : 'Any'}]`
  if (schema.type === 'object') return schema.properties ? named(schema, name, shapes) : 'Dict[str, Any]'
  return plain[schema.type] ?? 'Any'
}

function unionOf(types: string[]): string {
  const some = [...new Set(types)].filter((type) => type !== 'None')
  const one = some.length === 1 ? some[0]! : `Union[${some.join(', ')}]`
  return types.includes('None') ? `Optional[${one}]` : one
}

function named({ properties, required = [] }: Schema, name: string, shapes: string[]): string {
  const lines = Object.entries<Schema>(properties).map(([field, schema]) => {
    const type = typeOf(schema, `${name}${field[0]!.toUpperCase()}${field.slice(1)}`, shapes)
    return { line: `    ${field}: ${type}`, isRequired: required.includes(field) }
  })
  const [always, sometimes] = [true, false].map((is) => lines.filter((one) => one.isRequired === is))
  const body = (some: typeof lines): string => some.map(({ line }) => line).join('\n')
  if (sometimes!.length === 0) shapes.push(`\nclass ${name}(TypedDict):\n${body(always!)}`)
  else {
    shapes.push(`\nclass _${name}(TypedDict):\n${body(always!)}`)
    shapes.push(`\nclass ${name}(_${name}, total=False):\n${body(sometimes!)}`)
  }
  return name
}
