// Connections are bounded, by the descriptors there are and by address, and a body that hardly comes is not waited for.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bareAnswer, safeHeaders } from './headers.ts'
import { networkOf } from './key-guard.ts'
import { limits } from './limits.ts'

// Behind a proxy every connection comes from its address: there only their number is bounded.
export function boundConnections(server: Server, options: { isProxied: boolean }): void {
  server.headersTimeout = limits.headersMs
  server.maxConnections = Math.min(limits.connections, Math.max(16, descriptors() - limits.descriptorsKept))
  if (!options.isProxied) boundByAddress(server)
  endSlowBodies(server)
}

function boundByAddress(server: Server): void {
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once('close', () => {
      const left = open.get(network)! - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
    if (count > limits.connectionsOfAddress) refuse(socket)
  })
}

function refuse(socket: Socket): void {
  socket.on('error', () => {})
  // Under TLS nobody could read a sentence: the connection only ends.
  if ('encrypted' in socket) socket.destroy()
  else {
    const sentence = 'Too many connections come from this address.'
    socket.end(bareAnswer('429 Too Many Requests', sentence, { 'retry-after': '1' }))
  }
  setTimeout(() => socket.destroy(), 1_000).unref()
}

// Every few seconds the bodies that are still coming are looked at: none may fall below the pace.
function endSlowBodies(server: Server): void {
  const coming = new Map<IncomingMessage, { response: ServerResponse; bytes: number; since: number }>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return
    coming.set(request, { response, bytes: request.socket.bytesRead, since: performance.now() })
    request.once('close', () => coming.delete(request))
    request.once('end', () => coming.delete(request))
  })
  const looking = setInterval(() => {
    const now = performance.now()
    for (const [request, seen] of coming) {
      const ms = now - seen.since
      // One that has come is not late, though nobody may have read it: an empty one nobody does.
      if (ms < limits.bodyGraceMs || request.complete || request.isPaused()) continue
      const { bytesRead } = request.socket
      if (bytesRead - seen.bytes < (limits.bodyBytesPerS * ms) / 1000) end(request, seen.response)
      else Object.assign(seen, { bytes: bytesRead, since: now })
    }
  }, limits.bodyGraceMs / 2)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

function end(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) request.destroy()
  else {
    const body = JSON.stringify({ detail: 'The body came too slowly.' })
    response.writeHead(408, { 'content-type': 'application/json', connection: 'close', ...safeHeaders })
    response.end(body, () => request.destroy())
  }
}

// As many files and connections as this process may have open; Node has raised it as far as it may.
function descriptors(): number {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line ? Number(line[1]) : limits.connections
  } catch {
    return limits.connections // not Linux
  }
}
