// The machine: Node, memory, the disk, the clock, the port.
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { bad, type Finding, look, well } from './finding.ts'
import { limits } from './limits.ts'

export function checkNode(): Finding {
  const { node } = process.versions
  const isNew = Number(node.split('.')[0]) >= limits.node
  return isNew
    ? well('Node', `${node} on ${process.platform} ${process.arch}`)
    : bad('Node', `${node} is too old.`, `Run Memoir by bin/memoir.js, or install Node ${limits.node}.`)
}

export function checkMemory(): Finding {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1)
  return totalmem() < limits.memoryBytes
    ? look('memory', `${gigabytes} GiB is little for the models.`, 'Give the machine 2 GiB, or set MEMOIR_READER=0.')
    : well('memory', `${gigabytes} GiB`)
}

// Of the disk that the data folder is, or will be, on.
export async function checkDisk({ dataFolder, diskLeastBytes }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearest(dataFolder))
  const free = bavail * bsize
  const says = `${(free / 2 ** 30).toFixed(1)} GiB are free for ${dataFolder}.`
  if (free < limits.diskBadBytes) return bad('disk', says, 'Make room, or point MEMOIR_DATA to another disk.')
  if (free < diskLeastBytes) return look('disk', says, 'Make room before it is full: uploads are refused then.')
  return well('disk', says)
}

const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)))

// Memories, leases and backups go by it: it must not stand before what was written already.
export function checkClock({ dataFolder }: Config): Finding {
  const now = Date.now()
  const written = ['memoir.db', 'memoir.db-wal']
    .map((name) => statSync(join(dataFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .concat(limits.released)
  const ahead = Math.max(...written) - now
  if (ahead > limits.clockMs)
    return bad('clock', `${new Date(now).toISOString()} is before the data was written.`, 'Set the clock; use NTP.')
  return well('clock', new Date(now).toISOString())
}

// Taken by a Memoir is fine: the doctor may be asked while it runs.
export async function checkPort({ port, host, tls }: Config): Promise<Finding> {
  if (port === 0) return well('port', 'any that is free')
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  if (code === undefined) return well('port', `${port} is free.`)
  if (code === 'EACCES')
    return bad('port', `${port} may not be opened by this user.`, 'Set MEMOIR_PORT to one above 1023.')
  if (code !== 'EADDRINUSE') return bad('port', `${host}:${port} cannot be opened: ${code}.`, 'Correct MEMOIR_HOST.')
  const isMemoir = tls === undefined && (await answersAsMemoir(port, host))
  if (isMemoir) return well('port', `A Memoir answers on ${port}.`)
  return tls
    ? look('port', `${port} is in use, by TLS.`, 'Make sure that it is Memoir which listens there.')
    : bad('port', `${port} is used by another program.`, 'Set MEMOIR_PORT to another one, or stop what listens there.')
}

async function answersAsMemoir(port: number, host: string): Promise<boolean> {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  try {
    const signal = AbortSignal.timeout(limits.answerMs)
    const answer = await fetch(`http://${at.includes(':') ? `[${at}]` : at}:${port}/openapi.json`, { signal })
    return ((await answer.json()) as { info?: { title?: string } }).info?.title === 'Memoir'
  } catch {
    return false
  }
}
