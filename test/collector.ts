// An OpenTelemetry collector: a real server that takes traces over OTLP and reads the protocol's own bytes.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { gunzipSync } from 'node:zlib'

export type Span = {
  traceId: string
  spanId: string
  parentId: string
  name: string
  kind: number
  attributes: Record<string, string | number | boolean>
  status: number
  service: string
}

export async function startCollector() {
  const spans: Span[] = []
  const posted: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(request))
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    posted.push({ path: request.url!, headers: request.headers, body })
    spans.push(...spansIn(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    posted,
    // The spans of a request once those of these names are there.
    async of(requestId: string, ...names: string[]): Promise<Span[]> {
      for (;;) {
        const traces = new Set(
          spans.filter(({ attributes }) => attributes['memoir.request_id'] === requestId).map(({ traceId }) => traceId),
        )
        const found = spans.filter(({ traceId }) => traces.has(traceId))
        if (names.every((name) => found.some((span) => span.name === name))) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

function spansIn(body: Buffer): Span[] {
  return fieldsOf(body)
    .all(1)
    .flatMap((resourceSpans) => {
      const resource = fieldsOf(resourceSpans.bytes(1)[0] ?? Buffer.alloc(0))
      const { 'service.name': service } = attributesIn(resource.bytes(1))
      return resourceSpans
        .all(2)
        .flatMap((scope) => scope.bytes(2).map((span) => ({ ...spanIn(span), service: String(service) })))
    })
}

function spanIn(bytes: Buffer): Omit<Span, 'service'> {
  const fields = fieldsOf(bytes)
  const hex = (field: number) => fields.bytes(field)[0]?.toString('hex') ?? ''
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: fields.bytes(5)[0]!.toString(),
    kind: fields.number(6) ?? 0,
    attributes: attributesIn(fields.bytes(9)),
    status: fields.all(15)[0]?.number(3) ?? 0,
  }
}

function attributesIn(pairs: Buffer[]): Span['attributes'] {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsOf(pair)
      const value = fields.all(2)[0]!
      const text = value.bytes(1)[0]?.toString()
      const flag = value.number(2)
      const read = text ?? (flag === undefined ? value.number(3) : flag === 1)
      return [fields.bytes(1)[0]!.toString(), read ?? Number.NaN]
    }),
  )
}

type Fields = {
  number(field: number): number | undefined
  bytes(field: number): Buffer[]
  all(field: number): Fields[]
}

// A protobuf message by the numbers of its fields.
function fieldsOf(message: Buffer): Fields {
  const numbers = new Map<number, number>()
  const parts = new Map<number, Buffer[]>()
  for (let at = 0; at < message.length; ) {
    const varint = () => {
      let value = 0n
      for (let shift = 0n; ; shift += 7n) {
        const byte = message[at++]!
        value |= BigInt(byte & 127) << shift
        if (byte < 128) return Number(value)
      }
    }
    const tag = varint()
    const field = tag >> 3
    if ((tag & 7) === 0) numbers.set(field, varint())
    else if ((tag & 7) === 1) at += 8
    else if ((tag & 7) === 5) at += 4
    else if ((tag & 7) === 2) {
      const length = varint()
      parts.set(field, [...(parts.get(field) ?? []), message.subarray(at, at + length)])
      at += length
    } else throw new Error(`no such wire type: ${tag & 7}`)
  }
  const bytes = (field: number): Buffer[] => parts.get(field) ?? []
  return {
    number: (field: number) => numbers.get(field),
    bytes,
    all: (field: number): Fields[] => bytes(field).map(fieldsOf),
  }
}
