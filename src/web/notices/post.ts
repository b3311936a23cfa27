// By what people are told: the mail server of the settings, and the services of browsers.
import type { Mailer, Pusher } from '../../ports/post.ts'
import { createMailer } from './mail.ts'
import { createPusher, type PushNeeds } from './push.ts'

export type Post = { mailer: Mailer | undefined; pusher: Pusher }

type PostNeeds = Omit<PushNeeds, 'contact'> & {
  mail: { url: string; from: string } | undefined
  publicUrl: string | undefined
}

export function openPost({ store, webhooks, mail, publicUrl }: PostNeeds): Post {
  const address = mail && /<([^<>]{1,320})>$/.exec(mail.from)?.[1]
  const contact = publicUrl ?? `mailto:${address ?? mail?.from ?? 'memoir@localhost'}`
  return { mailer: mail && createMailer(mail.url, mail.from), pusher: createPusher({ store, webhooks, contact }) }
}
