// `memoir serve`: starts the service, says where it is, and stops it without losing what it accepted.
import { firstStart, GUIDE, type Made } from '../app/first-start.ts'
import { readConfig } from '../config.ts'
import { type Running, start } from '../start.ts'
import { panel } from './print.ts'

export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(env)
  const running = await start(config).catch(explainPort(config.port))
  // A service without its keys is of no use to anybody: it does not stay up half made.
  const made = await firstStart(running.app, running.store, config).catch(async (error) => {
    await running.close()
    throw error
  })
  stopOnSignal(running)
  if (made.guideKey) {
    console.log('First start: the guide is learning this documentation…')
    await running.learned()
  }
  console.log(welcome(running, made, config.dataFolder))
}

export function welcome(
  { url }: Pick<Running, 'url'>,
  { adminKey, guideKey, ownerPath }: Made,
  dataFolder: string,
): string {
  const lines = [
    '',
    `console      ${url}/console`,
    `interface    ${url}/v1`,
    `description  ${url}/docs`,
    `data         ${dataFolder}`,
    '',
  ]
  if (ownerPath) lines.push('Open this once within a week, to make your account:', `${url}${ownerPath}`, '')
  if (adminKey)
    lines.push('Shown this once, for programs and for rescue; keep it safe:', `admin key    ${adminKey}`, '')
  if (guideKey) {
    lines.push('Shown this once, for the persona that knows Memoir:', `guide's key  ${guideKey}`, '')
  }
  const box = panel('Memoir is running', lines)
  if (!guideKey) return box
  return `${box}\n\nTalk to it:\n\n${curlLine(url, guideKey)}\n`
}

const curlLine = (url: string, key: string): string =>
  `curl ${url}/v1/message -H 'content-type: application/json' -H 'x-api-key: ${key}' -d '${JSON.stringify({
    DomainName: GUIDE,
    Text: 'How do I create a persona?',
  })}'`

const STOP_GRACE_MS = 10_000

function stopOnSignal(running: Running): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1) // asked twice: at once, then
    stopping = true
    console.log(`${signal}: finishing what was accepted…`)
    setTimeout(() => process.exit(1), STOP_GRACE_MS).unref()
    running.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

const explainPort =
  (port: number) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EADDRINUSE')
      throw new Error(`Port ${port} is in use. Set MEMOIR_PORT to another one, or stop what listens there.`)
    if (error.code === 'EACCES')
      throw new Error(`Port ${port} may not be opened by this user. Set MEMOIR_PORT to one above 1023.`)
    throw error
  }
