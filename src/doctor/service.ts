// Looks at a service on another machine, as far as it can be seen from here.
import { bad, type Finding, look, well } from './finding.ts'
import { limits } from './limits.ts'

export async function* examineService(url: string, key: string | undefined): AsyncGenerator<Finding> {
  const ask = (path: string, headers = {}) =>
    fetch(new URL(path, url), { headers, signal: AbortSignal.timeout(limits.answerMs) })
  const ready = await ask('/readyz').catch(() => undefined)
  if (!ready) return yield bad('service', `Nothing answers at ${url}.`, 'Start it, or correct MEMOIR_URL.')
  const health = (await ready.json().catch(() => ({}))) as Health
  if (!ready.ok) return yield bad('service', health.detail ?? `It answers ${ready.status}.`, 'Look into its log.')
  if (health.status !== 'ready')
    return yield bad('service', `${url} is no Memoir.`, 'Set MEMOIR_URL to the address of one.')
  yield well('service', `${url} is ready.`)
  if (!/^https:|\/\/(?:localhost|127\.|\[::1\])/.test(url))
    yield look('transport', `${url} is not encrypted.`, 'Keys and messages can be read on the way: use https.')
  yield clockOf(ready.headers.get('date'))
  yield chatOf(health)
  yield scoresOf(health)
  yield backupOf(health)
  yield await keyOf(key, ask)
}

type Health = {
  status?: string
  detail?: string
  chat_models?: { ready: number; resting: number }
  outdated_scores?: number
  last_backup?: string | null
}

function clockOf(date: string | null): Finding {
  const apart = date === null ? 0 : Math.abs(Date.parse(date) - Date.now())
  return apart > limits.clockMs
    ? look('clock', `Its clock and this one are ${Math.round(apart / 60_000)} minutes apart.`, 'Set both by NTP.')
    : well('clock', 'It agrees with this one.')
}

function chatOf({ chat_models: { ready, resting } = { ready: 0, resting: 0 } }: Health): Finding {
  return resting > 0
    ? look('chat models', `${resting} of ${ready + resting} fail at the moment.`, 'Memory answers for them meanwhile.')
    : well('chat models', `${ready} ready`)
}

function scoresOf({ outdated_scores: outdated = 0 }: Health): Finding {
  return outdated > 0
    ? look(
        'scores',
        `Those of ${outdated} personas were fitted for another reader: the shipped score is in use.`,
        'Judge some of their replies, then run memoir calibrate.',
      )
    : well('scores', 'They are those of the reader in use.')
}

function backupOf({ last_backup: last }: Health): Finding {
  const age = last ? Date.now() - Date.parse(last) : Number.POSITIVE_INFINITY
  return age > limits.ownBackupMs
    ? look(
        'backups',
        'It makes none on a schedule.',
        'Set MEMOIR_BACKUP_DIR there, or run memoir backup FILE every day.',
      )
    : well('backups', `The last was made at ${last}.`)
}

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>

async function keyOf(key: string | undefined, ask: Ask): Promise<Finding> {
  if (!key) return bad('key', 'MEMOIR_KEY is not set.', 'Set it to the admin key, or to the key of a persona.')
  const headers = { 'x-api-key': key }
  if ((await ask('/admin/work', headers)).ok) return well('key', 'It is the admin key: every command works.')
  const validated = await ask('/v1/api-key/validate', headers)
  if (validated.ok) return look('key', "It is a persona's key.", 'The commands of the owner take the admin key.')
  return bad('key', 'The service does not know MEMOIR_KEY.', 'Create one: memoir key create, or key reset-admin there.')
}
