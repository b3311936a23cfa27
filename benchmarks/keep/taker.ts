// A process that takes a file or a download to the disk, as a caller elsewhere would: not on the service's event loop.
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type Taken = { target: string } & ({ file: string } | { url: string; key: string })

process.on('message', async (what: Taken) => {
  const began = performance.now()
  await write(
    'file' in what ? createReadStream(what.file, { highWaterMark: 2 ** 20 }) : await download(what),
    what.target,
  )
  process.send!(performance.now() - began)
})

async function download({ url, key }: { url: string; key: string }): Promise<Readable> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request(url, { method: 'POST', headers }, resolve).on('error', reject).end('{}'),
  )
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
  return answer
}

// To the disk, not to its cache alone.
async function write(from: Readable, target: string): Promise<void> {
  await pipeline(from, createWriteStream(target))
  const file = await open(target, 'r+')
  await file.sync().finally(() => file.close())
}

process.send!('ready')
