// What waits for whoever is signed in, and the way to each.
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import type { Waiting } from '../api/admin.ts'
import { useWaiting } from '../api/queries.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf } from '../parts/times.ts'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function WaitingPage() {
  const { data, error } = useWaiting()
  useEffect(() => {
    document.title = `${words.whatWaits} · Memoir`
  }, [])
  return (
    <div className="narrow">
      <PageHead title={words.whatWaits}>{words.aboutWaiting}</PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={4} />}
      {data?.count === 0 && <Empty title={words.nothingWaits}>{words.nothingWaitsNow}</Empty>}
      <ul className="documents">
        {data?.waiting.map((one) => (
          <WaitingRow key={`${one.kind} ${one.domain_name} ${(one.trigger ?? one.source)?.id}`} one={one} />
        ))}
      </ul>
    </div>
  )
}

type Kind = { icon: IconName; title(one: Waiting): string; href(one: Waiting): string | undefined }

const of = ({ domain_name }: Waiting, place: string): string => `/p/${domain_name}/${place}`

const kinds: Record<Waiting['kind'], Kind> = {
  drafts: { icon: 'copilot', title: ({ count }) => words.draftsWait(count), href: (one) => of(one, 'copilot') },
  failures: {
    icon: 'documents',
    title: ({ count }) => words.failuresWait(count),
    href: (one) => of(one, 'documents?state=failed'),
  },
  damage: { icon: 'documents', title: ({ count }) => words.damageWaits(count), href: (one) => of(one, 'documents') },
  model: { icon: 'talk', title: () => words.modelWaits, href: (one) => of(one, 'settings') },
  trigger: {
    icon: 'triggers',
    title: ({ trigger }) => words.triggerWaits(trigger?.name ?? ''),
    href: (one) => of(one, `triggers/${one.trigger?.id}`),
  },
  source: {
    icon: 'again',
    title: ({ source }) => words.sourceWaits(source?.name ?? ''),
    href: (one) => of(one, 'following'),
  },
  disk: { icon: 'down', title: () => words.diskWaits, href: () => undefined },
  backup: { icon: 'history', title: () => words.backupWaits, href: () => '/backup' },
}

function WaitingRow({ one }: { one: Waiting }) {
  const { icon, title, href } = kinds[one.kind]
  const since = one.since && agoOf(one.since)
  const about = [one.persona, since && (one.kind === 'backup' ? words.lastBackup(since) : words.waitsSince(since))]
  return (
    <li className="document">
      <span className="quiet">
        <Icon name={icon} />
      </span>
      <div className="document-main">
        <Title href={href(one)}>{title(one)}</Title>
        <span className="quiet small">{about.filter(Boolean).join(', ')}</span>
        {one.says && <p className="document-error">{one.says}</p>}
        {one.kind === 'disk' && <span className="quiet small">{words.makeRoom}</span>}
      </div>
    </li>
  )
}

const Title = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href ? (
    <Link className="document-title" href={href}>
      {children}
    </Link>
  ) : (
    <span className="document-title">{children}</span>
  )
