// A receiver of webhooks as a process of its own, to be killed: what it took in is in a file before it says so.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [port, file] = process.argv.slice(2)

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const { headers } = request
  appendFileSync(file!, `${JSON.stringify({ id: headers['webhook-id'], headers, body })}\n`)
  // Slow enough to be killed between taking it in and saying so.
  setTimeout(() => response.end('ok'), 30)
})
server.listen(Number(port), '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
