// Web push: a notice encrypted for one browser (RFC 8291), sent to its maker's service under our own key (RFC 8292).
import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto'
import type { PushTarget } from '../../domain/notice.ts'
import type { Notices } from '../../ports/notices.ts'
import type { Pusher } from '../../ports/post.ts'
import type { Webhooks } from '../../ports/webhooks.ts'
import { limits } from '../limits.ts'

export type PushNeeds = {
  store: { notices: Pick<Notices, 'keepOnce'> }
  webhooks: Pick<Webhooks, 'post'>
  contact: string // whom the maker of a browser may turn to: an address of the web, or mailto:
}

export function createPusher({ store, webhooks, contact }: PushNeeds): Pusher {
  // Made on first use; all processes have the one that was kept first.
  const kept = async () => JSON.parse(await store.notices.keepOnce('push key', newKey())) as JsonWebKey
  let key: Promise<JsonWebKey> | undefined
  const own = () => (key ??= kept())
  return {
    publicKey: async () => pointOf(await own()).toString('base64url'),

    async push(target, text) {
      const { status } = await webhooks.post(target.endpoint, {
        body: encrypt(target, text),
        headers: {
          authorization: authorization(await own(), contact, target.endpoint),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(limits.pushKeptS),
          topic: 'waiting', // one that was not shown yet is replaced
        },
        signal: AbortSignal.timeout(limits.noticeMs),
      })
      if (status === 404 || status === 410) return 'gone'
      if (status < 200 || status > 299) throw new Error(`The browser's service answered with status ${status}.`)
      return 'told'
    },
  }
}

const newKey = (): string =>
  JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }))

// As browsers want it: uncompressed.
const pointOf = ({ x, y }: JsonWebKey): Buffer =>
  Buffer.concat([Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])

function authorization(key: JsonWebKey, contact: string, endpoint: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + limits.pushTokenS
  const claims = { aud: new URL(endpoint).origin, exp, sub: contact }
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signing = { key: createPrivateKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(text), signing).toString('base64url')
  return `vapid t=${text}.${signature}, k=${pointOf(key).toString('base64url')}`
}

const derive = (ikm: Uint8Array, salt: Uint8Array, info: string | Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', ikm, salt, info, bytes))

const RECORD_BYTES = 4_096

function encrypt({ p256dh, auth }: PushTarget, text: string): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const own = createECDH('prime256v1')
  const ours = own.generateKeys()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const shared = derive(own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const salt = randomBytes(16)
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The one record, which 2 ends.
  const record = Buffer.concat([
    cipher.update(text),
    cipher.update(Buffer.from([2])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, record])
}
