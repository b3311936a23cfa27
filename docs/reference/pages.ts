// The pages of docs/reference as text, made from the tables that the program itself uses.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { program } from '../../src/cli/program.ts'
import { settings } from '../../src/config.ts'
import { openApi } from '../../src/contract/openapi.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { publicOperations } from '../../src/contract/public-api.ts'
import type { ErrorCode } from '../../src/domain/errors.ts'
import { statuses } from '../../src/http/errors.ts'
import { sentencesInSource } from './sentences.ts'

export const referencePages = (): Record<string, string> => ({
  'settings.md': page('Settings', settingsPage()),
  'errors.md': page('Errors', errorsPage()),
  'commands.md': page('The command line', commandsPage()),
  'licences.md': page('Licences of the packages', licencesPage()),
})

const page = (title: string, blocks: string[]): string =>
  `# ${title}\n\n<!-- Written by npm run reference: change the tables in src, not this page. -->\n\n${blocks.join('\n\n')}\n`

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const code = (text: string): string => (text ? `\`${text}\`` : '')

const settingsPage = (): string[] => [
  'All settings are environment variables. A name or a value that Memoir does not know stops the start with one ' +
    'sentence that says what is wrong.',
  table(
    ['setting', 'meaning', 'default'],
    settings.map(({ name, meaning, fallback }) => [code(name), meaning, code(fallback)]),
  ),
]

type Locked = { version: string; license?: string; dev?: boolean }

// What is installed with Memoir, not what it is developed with.
function licencesPage(): string[] {
  const lock = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
  const packages = Object.entries((JSON.parse(lock) as { packages: Record<string, Locked> }).packages)
  const used = packages.filter(([path, { dev }]) => path !== '' && !dev)
  const byLicence = Map.groupBy(used, ([, { license = 'none given' }]) => license)
  const nameOf = ([path, { version }]: [string, Locked]) => `${path.split('node_modules/').at(-1)} ${version}`
  return [
    'Memoir is under the Apache License 2.0, as are the models in `weights/`. `npm run sbom` writes the list of all ' +
      'packages as CycloneDX.',
    table(
      ['licence', 'packages'],
      [...byLicence]
        .sort(([, one], [, two]) => two.length - one.length)
        .map(([licence, of]) => [licence, [...new Set(of.map(nameOf))].sort().join(', ')]),
    ),
  ]
}

const meanings: Record<ErrorCode, string> = {
  invalid: 'The request is wrong; the sentence names the field. Nothing was stored.',
  unreachable: 'A URL cannot be fetched, or must not be.',
  unauthenticated: 'A call to `/admin` without a key.',
  unauthorized:
    'The key is missing, wrong, revoked or expired, lacks the scope, or does not belong to the persona: the same ' +
    'sentence in all cases.',
  not_found: 'There is no such path, persona, session, document, memory, reply or draft.',
  conflict:
    'The domain name is taken; the `Idempotency-Key` of an upload was used for another request; a message with this ' +
    '`Idempotency-Key` is being answered (`Retry-After` says when to ask again).',
  name_reused: 'The `Idempotency-Key` of a message was used for another request.',
  too_large: 'The body, the file or a text is too large.',
  unsupported_type: 'The `Content-Type` is not one this call takes.',
  unreadable: 'The file or the page was received, but no text can be read from it.',
  rate_limited:
    'The key, or a visitor without one, has used up its requests; the header `Retry-After` says when to try again.',
  storage_full: 'The disk of the service has no room; `Retry-After` says when to try again.',
  withheld: "The reply scored below the persona's threshold and waits for the owner as a draft.",
  unavailable: 'It cannot be done now (`Retry-After` says when to try again), or not with these settings.',
  model_failed: 'A chat model gave no answer. Callers never see this: the reply is then made from memory.',
  cancelled: 'The caller closed the connection before the answer.',
}

const byStatus = Object.entries(statuses).sort(([, one], [, two]) => one - two) as [ErrorCode, number][]

const errorsPage = (): string[] => [
  'Every error is `{"detail": "one sentence"}` with one of these statuses; the header `x-memoir-error` has the code.',
  '## Statuses',
  table(
    ['status', 'code', 'when'],
    [
      ...byStatus.map(([name, status]) => [String(status), code(name), meanings[name]]),
      ['405', '', 'The path exists, the method does not; the header `Allow` lists those that do.'],
      ['500', '', 'A bug in Memoir. The log has more under the id in the header `x-request-id`.'],
    ],
  ),
  'An uploaded file that cannot be read is accepted first: the document then has the sentence as its `error`.',
  '## A refused key',
  table(
    ['call', 'status', 'sentence'],
    (Object.values(publicOperations) as Operation[]).flatMap(({ method, path, unauthorized }) =>
      unauthorized ? [[code(`${method} ${path}`), String(unauthorized.status), unauthorized.sentence]] : [],
    ),
  ),
  '## By call',
  'The public calls; `/docs` on the running service has those of `/admin`, too.',
  table(['call', 'status', 'when'], errorsByCall()),
  '## Sentences',
  'Where a sentence changes with the request, the changing part is shown as "…".',
  ...sentences(),
]

// Of the public calls. What every call may answer comes first.
function errorsByCall(): string[][] {
  const calls = Object.entries(openApi().paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => ({ path, method, ...one })))
    .filter(({ path }) => path.startsWith('/v1'))
    .map(({ path, method, ...one }) => ({ call: code(`${method.toUpperCase()} ${path}`), errors: errorsOf(one) }))
  const isGeneral = ([status, when]: Row) =>
    calls.every(({ errors }) => errors.some((one) => one.join() === `${status},${when}`))
  return [
    ...calls[0]!.errors.filter(isGeneral).map((row) => ['every call', ...row]),
    ...calls.flatMap(({ call, errors }) => errors.filter((row) => !isGeneral(row)).map((row) => [call, ...row])),
  ]
}

type Row = [status: string, when: string]

const errorsOf = ({ responses }: Record<string, unknown>): Row[] =>
  Object.entries(responses as Record<string, { description: string }>)
    .filter(([status]) => status !== '200')
    .map(([status, { description }]) => [status, description])

// Errors that no caller receives.
const UNSEEN: ErrorCode[] = ['model_failed', 'cancelled']

function sentences(): string[] {
  const found = sentencesInSource()
  return byStatus
    .filter(([name]) => !UNSEEN.includes(name) && (found.get(name)?.length ?? 0) > 0)
    .map(
      ([name, status]) =>
        `### ${status} ${name}\n\n${found
          .get(name)!
          .map((one) => `- ${one}`)
          .join('\n')}`,
    )
}

const commandsPage = (): string[] => [
  'Commands work on the data folder in `MEMOIR_DATA`, also beside a running service, or on the service at `MEMOIR_URL`\n' +
    'with the key in `MEMOIR_KEY`. In this folder, `alias memoir="node $PWD/bin/memoir.js"` makes the command.',
  ...program.commands.flatMap((command) => describeCommand(command, 'memoir')),
]

function describeCommand(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`
  if (command.commands.length > 0) return command.commands.flatMap((one) => describeCommand(one, name))
  const takes = command.registeredArguments.map((one) => {
    const word = one.variadic ? `${one.name()}...` : one.name()
    return one.required ? ` <${word}>` : ` [${word}]`
  })
  const options = command.options.map(({ flags, description, defaultValue }) => [
    code(flags),
    `${description}${typeof defaultValue === 'string' ? ` (default: ${defaultValue})` : ''}`,
  ])
  return [
    `## ${code(name + takes.join(''))}`,
    `${capitalize(command.description())}.`.replace(/\.\.$/, '.'),
    ...(options.length > 0 ? [table(['option', 'meaning'], options)] : []),
  ]
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
