// Starts what sends the rows of the outbox: events to programs, notices to people.
import type { Store } from '../ports/store.ts'
import type { Post } from './notices/post.ts'
import { type NoticeNeeds, startNotices } from './notices/sender.ts'
import { type Sender, type SenderNeeds, startSender } from './webhooks/sender.ts'

type Settings = { role: 'serve' | 'learn' | 'both'; notices: { delayMs: number } }

type SendersNeeds = Pick<SenderNeeds, 'webhooks' | 'tracing'> & {
  store: Pick<Store, 'outbox' | 'notices'>
  post: Post
  compose: NoticeNeeds['compose'] | undefined // where people are told, too
  log: { error(facts: { err: unknown }, what: string): void }
}

// Undefined for a process that only serves.
export function startSenders(settings: Settings, needs: SendersNeeds): Pick<Sender, 'counts' | 'stop'> | undefined {
  if (settings.role === 'serve') return undefined
  const { store, webhooks, tracing, post, compose, log } = needs
  const sender = startSender({ store, webhooks, tracing, onTrouble: (err) => log.error({ err }, 'delivering') })
  store.outbox.onWritten(sender.wake)
  const { delayMs } = settings.notices
  const onTrouble = (err: unknown) => log.error({ err }, 'telling people')
  const notices = compose && startNotices({ store, ...post, delayMs, compose, onTrouble })
  return {
    counts: sender.counts,
    async stop() {
      await sender.stop()
      await notices?.stop()
    },
  }
}
