// A notice in the words of whoever it is for: what still waits, by what they may do at this moment. It holds names and
// numbers, and nothing of what people said.
import { type Account, personKey } from '../../domain/people.ts'
import type { NoticeClaim } from '../../ports/notices.ts'
import type { Mail } from '../../ports/post.ts'
import { mayDo, sees } from '../access.ts'
import { limits } from '../limits.ts'
import { type WaitingNeeds, whatWaits } from './waiting.ts'
import { noticeWords } from './words.ts'

export type ComposeNeeds = WaitingNeeds & { publicUrl: string | undefined }

// Undefined where there is nothing to tell any more.
export async function compose(
  needs: ComposeNeeds,
  claim: NoticeClaim,
): Promise<{ mail: Mail; push: string } | undefined> {
  const account = await needs.store.people.accounts.byId(claim.way.accountId)
  const told = account && (await whatToTell(needs, account, claim))
  if (!told) return undefined
  const { hello, wait, look, lookHere, turnOff } = noticeWords[claim.way.language]
  const { publicUrl } = needs
  const links = publicUrl ? [look(`${publicUrl}/console/waiting`), turnOff(`${publicUrl}/console/you`)] : [lookHere]
  const text = [hello(account.name || account.email), '', ...told.lines, '', ...links, ''].join('\n')
  const id = `${claim.way.id}.${claim.drafts[0]?.id ?? Date.now()}`
  const push = JSON.stringify({ title: 'Memoir', body: told.lines.join('\n').slice(0, limits.pushCharacters) })
  return { mail: { to: account.email, subject: wait(told.title), text, id }, push }
}

type Told = { title: string; lines: string[] }

async function whatToTell(needs: ComposeNeeds, account: Account, claim: NoticeClaim): Promise<Told | undefined> {
  const words = noticeWords[claim.way.language]
  if (claim.type === 'notice.test') return { title: words.test, lines: [words.aboutTest] }
  return claim.type === 'notice.digest' ? digestFor(needs, account, claim) : draftsFor(needs, account, claim)
}

// Those that nobody settled meanwhile, by persona.
async function draftsFor({ store }: ComposeNeeds, account: Account, claim: NoticeClaim): Promise<Told | undefined> {
  const who = { key: personKey(account) }
  const words = noticeWords[claim.way.language]
  const counts = new Map<number, number>()
  for (const { personaId, id } of claim.drafts)
    if (mayDo(who, 'judge') && sees(who, personaId) && (await store.drafts.get(personaId, id)))
      counts.set(personaId, (counts.get(personaId) ?? 0) + 1)
  const lines: string[] = []
  let all = 0
  for (const [personaId, count] of counts) {
    const persona = await store.personas.byId(personaId)
    if (!persona) continue
    lines.push(`${persona.name}: ${words.drafts(count)}.`)
    all += count
  }
  return all === 0 ? undefined : { title: words.drafts(all), lines }
}

async function digestFor(needs: ComposeNeeds, account: Account, { way }: NoticeClaim): Promise<Told | undefined> {
  const words = noticeWords[way.language]
  const { waiting } = await whatWaits(needs, personKey(account))
  if (waiting.length === 0) return undefined
  const lines = waiting.map(({ kind, persona, count, trigger, source }) => {
    const what = kind === 'drafts' ? words.drafts(count) : words.kinds[kind](count, (trigger ?? source)?.name ?? '')
    return `${persona === null ? '' : `${persona}: `}${what}.`
  })
  return { title: words.digest, lines }
}
