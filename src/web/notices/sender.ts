// Tells people what waits in the outbox for them: takes what belongs together, sends it, and tries again later.
import { setTimeout as wait } from 'node:timers/promises'
import { nextDigest } from '../../domain/notice.ts'
import type { NoticeClaim, NoticeOutcome } from '../../ports/notices.ts'
import type { Mail, Mailer, Pusher } from '../../ports/post.ts'
import type { Store } from '../../ports/store.ts'
import { limits } from '../limits.ts'
import { type Loop, startLoop } from '../loop.ts'
import { retryAt } from '../webhooks/retry.ts'

// One notice in the words of whoever it is for.
export type Notice = { mail: Mail; push: string }

export type NoticeNeeds = {
  store: Pick<Store, 'notices'>
  // Undefined where nothing of it waits any more, or it is not for them any more.
  compose(claim: NoticeClaim): Promise<Notice | undefined>
  mailer: Mailer | undefined
  pusher: Pick<Pusher, 'push'>
  delayMs: number
  onTrouble(error: unknown): void
}

export function startNotices(needs: NoticeNeeds): Loop {
  const { notices } = needs.store
  const delays = { mailAfterMs: needs.delayMs, pushAfterMs: Math.min(needs.delayMs, limits.pushAfterMs) }
  async function look(ending: AbortSignal): Promise<void> {
    const now = new Date()
    await notices.writeDigests(now, ({ timeZone }) => nextDigest(timeZone, now))
    while (!ending.aborted) {
      const claim = await notices.claim(new Date(), { ...delays, leaseMs: limits.noticeLeaseMs })
      if (!claim) return
      await notices.settle(claim, await tell(needs, claim))
    }
  }
  const loop = startLoop(look, { pollMs: limits.noticePollMs, onTrouble: needs.onTrouble })
  return {
    ...loop,
    // A mail server that does not answer holds nobody up: what is under way then counts as told.
    stop: () => Promise.race([loop.stop(), wait(limits.deliverStopMs, undefined, { ref: false })]),
  }
}

async function tell(needs: NoticeNeeds, claim: NoticeClaim): Promise<NoticeOutcome> {
  try {
    const notice = await needs.compose(claim)
    if (!notice) return { is: 'told' }
    const { target } = claim.way
    if (target) return { is: await needs.pusher.push(target, notice.push) }
    if (!needs.mailer) return { is: 'failed', trouble: 'MEMOIR_SMTP_URL is not set.', retryAt: undefined }
    await needs.mailer.send(notice.mail)
    return { is: 'told' }
  } catch (error) {
    needs.onTrouble(error)
    const trouble = (error as Error).message.slice(0, limits.troubleCharacters)
    return { is: 'failed', trouble, retryAt: retryAt(claim.tries + 1, new Date()) }
  }
}
