// Which methods an address takes, for telling "not there" from "not that way".
import { adminOperations } from '../contract/admin-api.ts'
import { adminEvents } from '../contract/admin-events.ts'
import { consoleOperations } from '../contract/console-api.ts'
import { doors } from '../contract/doors.ts'
import { type Operation, withStreamed } from '../contract/operation.ts'
import { publicOperations } from '../contract/public-api.ts'
import { talkOperations } from '../contract/talk-api.ts'
import { consolePaths } from './console.ts'
import { systemPaths } from './system.ts'
import { talkPaths } from './talk/talk.ts'

const operations: Pick<Operation, 'method' | 'path' | 'aliases'>[] = [
  ...Object.values(publicOperations).flatMap(withStreamed),
  ...Object.values(adminOperations),
  adminEvents,
  ...consoleOperations,
  ...doors,
  ...Object.values(talkOperations),
  ...[...systemPaths, ...consolePaths, ...talkPaths].map((path) => ({ method: 'GET' as const, path })),
]

const patterns = operations.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map((one) => ({
    method,
    pattern: new RegExp(`^${one.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  })),
)

export function allowedMethods(url: string): string[] {
  const path = url.split('?', 1)[0]!
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}
