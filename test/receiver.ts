// A program that receives webhooks: a real server, which keeps what it got and answers as it is told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
export type Event = { type: string; timestamp: string; data: any }
export type Received = { id: string; path: string; headers: Record<string, string>; body: string; event: Event }

type Answering = (response: ServerResponse, received: Received) => void

export async function startReceiver(port = 0) {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  const state = { answer: ((response) => response.end('thank you')) as Answering }
  const server = createServer(async (request, response) => {
    const one = await read(request)
    received.push(one)
    state.answer(response, one)
    for (const tell of waiting.splice(0)) tell()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    received,
    answer(how: Answering | number) {
      state.answer = typeof how === 'number' ? (response) => response.writeHead(how).end(`status ${how}`) : how
    },
    // Resolves when so many of this kind arrived at this path.
    async until(path: string, many: number, type?: string): Promise<Received[]> {
      for (;;) {
        const found = received.filter((one) => one.path === path && (!type || one.event.type === type))
        if (found.length >= many) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    close,
  }
}

// Throws where the standard's own verifier does.
export const verify = (secret: string, { body, headers }: Received): Event =>
  new Webhook(secret).verify(body, headers) as Event

async function read(request: IncomingMessage): Promise<Received> {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const headers = request.headers as Record<string, string>
  return { id: headers['webhook-id']!, path: request.url!, headers, body, event: JSON.parse(body) }
}
