// The service of a browser's maker, as far as a sender sees it: it checks the signature, and opens what it gets as the
// browser would (RFC 8188, 8291, 8292).
import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Pushed = { path: string; headers: IncomingHttpHeaders; notice: { title: string; body: string } }

export async function startPushService() {
  const received: Pushed[] = []
  const browsers = new Map<string, ReturnType<typeof newBrowser>>()
  const state = { status: 201 }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request))
    const browser = browsers.get(request.url!)
    if (state.status === 201) {
      checkSignature(request.headers.authorization!, browser!.serverKey!, url)
      received.push({ path: request.url!, headers: request.headers, notice: JSON.parse(browser!.open(body)) })
    }
    response.writeHead(state.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    received,
    answer(status: number) {
      state.status = status
    },
    // What a browser that subscribes under this key gives to the page.
    subscribe(serverKey: string) {
      const browser = newBrowser(serverKey)
      browsers.set(`/${browsers.size + 1}`, browser)
      return { endpoint: `${url}/${browsers.size}`, p256dh: browser.p256dh, auth: browser.auth }
    },
    async until(many: number): Promise<Pushed[]> {
      for (const end = Date.now() + 20_000; received.length < many; ) {
        assert.ok(Date.now() < end, `${received.length} came, not ${many}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return received
    },
  }
}

function newBrowser(serverKey: string) {
  const own = createECDH('prime256v1')
  const point = own.generateKeys()
  const auth = randomBytes(16)
  const derive = (ikm: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, info, bytes))
  return {
    serverKey,
    p256dh: point.toString('base64url'),
    auth: auth.toString('base64url'),
    open(body: Buffer): string {
      const [salt, theirs] = [body.subarray(0, 16), body.subarray(21, 21 + body[20]!)]
      const record = body.subarray(21 + body[20]!)
      assert.ok(record.length <= body.readUInt32BE(16))
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, theirs])
      const shared = derive(own.computeSecret(theirs), auth, info, 32)
      const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
      const opened = createDecipheriv('aes-128-gcm', key, derive(shared, salt, 'Content-Encoding: nonce\0', 12))
      opened.setAuthTag(record.subarray(-16))
      const text = Buffer.concat([opened.update(record.subarray(0, -16)), opened.final()])
      assert.equal(text.at(-1), 2)
      return text.subarray(0, -1).toString()
    },
  }
}

function checkSignature(authorization: string, serverKey: string, origin: string): void {
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization)!
  assert.equal(key, serverKey)
  const point = Buffer.from(serverKey, 'base64url')
  const half = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: half(1), y: half(33) }
  const [head, claims, signature] = token!.split('.')
  const signed = Buffer.from(`${head}.${claims}`)
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  assert.ok(verify('sha256', signed, publicKey, Buffer.from(signature!, 'base64url')))
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString())
  assert.equal(aud, origin)
  assert.equal(sub, 'https://memoir.example')
  assert.ok(exp > Date.now() / 1000 && exp < Date.now() / 1000 + 86_400)
}
