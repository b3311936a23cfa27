// Signs a delivery as Standard Webhooks says (standardwebhooks.com), so that its receiver can tell it is ours.
import { createHmac } from 'node:crypto'
import type { Trigger } from '../../domain/trigger.ts'

// After a rotation the old secret signs, too, for a while: receivers may change theirs in between.
export function signedHeaders(trigger: Trigger, id: string, at: Date, body: string): Record<string, string> {
  const { secret, oldSecret, oldSecretUntil } = trigger
  const secrets = oldSecret && oldSecretUntil && oldSecretUntil > at ? [secret, oldSecret] : [secret]
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((one) => `v1,${sign(one, `${id}.${timestamp}.${body}`)}`).join(' '),
  }
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64')
