// The frame: the rail of personas and places, and the page in the middle.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { admin, type Me, type Persona } from './api/admin.ts'
import { Refused, session } from './api/call.ts'
import { useMe, usePersona, usePersonas, useWaiting, useWorkEvents } from './api/queries.ts'
import { Icon, type IconName } from './parts/icon.tsx'
import { May } from './parts/may.tsx'
import { Empty, Monogram, Skeleton, Wrong } from './parts/small.tsx'
import { Teach } from './parts/teach.tsx'
import { switchLanguage } from './words/language.ts'
import { words } from './words/words.ts'

type Right = Me['rights'][number]

const places: [string, string, IconName, Right][] = [
  ['talk', words.talk, 'talk', 'talk'],
  ['memory', words.memory, 'memory', 'look'],
  ['documents', words.documents, 'documents', 'look'],
  ['following', words.following, 'again', 'look'],
  ['copilot', words.copilot, 'copilot', 'judge'],
  ['confidence', words.confidence, 'confidence', 'look'],
  ['triggers', words.triggers, 'triggers', 'manage'],
  ['figures', words.figures, 'figures', 'look'],
  ['settings', words.settings, 'settings', 'manage'],
]

export type Theme = ['light' | 'dark', () => void]

export function Shell({ theme, children }: { theme: Theme; children: ReactNode }) {
  useWorkEvents()
  const { data: me } = useMe()
  const [path] = useLocation()
  const domainName = /^\/p\/([^/]+)/.exec(path)?.[1]
  const main = useRef<HTMLElement>(null)
  const place = path.split('/').slice(0, 4).join('/')
  const isFirst = useRef(true)
  // Another page: whoever listens or uses the keyboard begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the place changed
  useEffect(() => {
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
    scrollTo(0, 0)
  }, [place])
  return (
    <>
      <a className="skip" href="#page">
        {words.skipToThePage}
      </a>
      <div className="shell">
        <header className="top-bar">
          <div className="top-row">
            <Link href="/" className="brand">
              Memoir
            </Link>
            <span className="top-who">{domainName && <Who domainName={domainName} />}</span>
            <May right="judge">
              <Bell />
            </May>
            <Link href="/you" className="button plain icon" aria-label={words.youAndTheService}>
              <Icon name="person" />
            </Link>
            <LanguageSwitch className="button plain icon" />
            <ThemeSwitch theme={theme} className="button plain icon" />
            <button type="button" className="button plain icon" aria-label={words.signOut} onClick={session.close}>
              <Icon name="out" />
            </button>
          </div>
          {domainName && me && (
            <nav className="top-nav" aria-label={words.personaSmallScreen} ref={showCurrent}>
              <Places domainName={domainName} path={path} />
            </nav>
          )}
        </header>
        <header className="rail">
          <Link href="/" className="brand">
            Memoir
          </Link>
          <nav className="rail-group" aria-label={words.personas}>
            <PersonaLinks domainName={domainName} path={path} />
          </nav>
          {domainName && (
            <nav className="rail-group" aria-label={words.persona}>
              <Places domainName={domainName} path={path} />
            </nav>
          )}
          <nav className="rail-group rail-foot" aria-label={words.service}>
            <ServiceLinks path={path} />
            <RailLink href="/you" label={words.you} icon="person" isCurrent={path === '/you'} />
            <LanguageSwitch className="rail-link" withIcon />
            <ThemeSwitch theme={theme} className="rail-link" withName />
            <button type="button" className="rail-link" onClick={session.close}>
              <Icon name="out" /> {words.signOut}
            </button>
          </nav>
        </header>
        <main id="page" className="page" ref={main} tabIndex={-1}>
          {domainName ? <Teach domainName={domainName}>{children}</Teach> : children}
        </main>
      </div>
    </>
  )
}

// The places of the service itself; on a phone they stand on the page "You".
export const ServiceLinks = ({ path }: { path: string }) => (
  <>
    <May right="judge">
      <WaitingLink isCurrent={path === '/waiting'} />
    </May>
    <May right="administer">
      <RailLink href="/people" label={words.people} icon="people" isCurrent={path === '/people'} />
    </May>
    <May right="manage">
      <RailLink href="/keys" label={words.keys} icon="keys" isCurrent={path === '/keys'} />
    </May>
    <May right="administer">
      <RailLink href="/models" label={words.models} icon="model" isCurrent={path === '/models'} />
      <RailLink href="/backup" label={words.backup} icon="down" isCurrent={path === '/backup'} />
    </May>
    <May right="manage">
      <RailLink href="/audit" label={words.audit} icon="history" isCurrent={path === '/audit'} />
    </May>
    <a className="rail-link" href="/docs" target="_blank" rel="noreferrer">
      <Icon name="book" /> {words.interface}
    </a>
  </>
)

const WaitingLink = ({ isCurrent }: { isCurrent: boolean }) => (
  <RailLink
    href="/waiting"
    label={words.whatWaits}
    icon="bell"
    isCurrent={isCurrent}
    count={useWaiting().data?.count ?? 0}
  />
)

// On a phone, while something waits.
function Bell() {
  const waiting = useWaiting().data?.count ?? 0
  if (waiting === 0) return null
  return (
    <Link href="/waiting" className="button plain icon bell" aria-label={words.thingsWait(waiting)}>
      <Icon name="bell" />
      <span className="bell-count">{waiting > 99 ? '99+' : waiting}</span>
    </Link>
  )
}

const Who = ({ domainName }: { domainName: string }) => usePersona(domainName).data?.name

// The row of places may be longer than a phone is wide, and it changes: fonts and counts come later, the current place is bold.
const showCurrent = (nav: HTMLElement) => {
  const changes = new ResizeObserver(() =>
    nav.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
  )
  for (const link of nav.children) changes.observe(link)
  return () => changes.disconnect()
}

// Named in the language it leads to.
const LanguageSwitch = ({ className, withIcon = false }: { className: string; withIcon?: boolean }) => (
  <button type="button" className={className} lang={words.otherLanguageCode} onClick={switchLanguage}>
    {withIcon ? (
      <>
        <Icon name="globe" /> {words.otherLanguage}
      </>
    ) : (
      <abbr title={words.otherLanguage}>{words.otherLanguageCode.toUpperCase()}</abbr>
    )}
  </button>
)

function ThemeSwitch({
  theme: [theme, turn],
  className,
  withName,
}: {
  theme: Theme
  className: string
  withName?: boolean
}) {
  const name = theme === 'dark' ? words.lightTheme : words.darkTheme
  return (
    <button type="button" className={className} onClick={turn} aria-label={withName ? undefined : name}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} /> {withName && name}
    </button>
  )
}

function PersonaLinks({ domainName, path }: { domainName: string | undefined; path: string }) {
  const { data: personas = [] } = usePersonas()
  const place = path.split('/')[3] ?? 'talk'
  return (
    <>
      <RailLink href="/" label={words.allPersonas} isCurrent={path === '/'} />
      {personas.slice(0, 12).map((persona) => (
        <Link
          key={persona.domain_name}
          href={`/p/${persona.domain_name}/${place}`}
          className="rail-link"
          aria-current={domainName?.toLowerCase() === persona.domain_name.toLowerCase() ? 'page' : undefined}
        >
          <Monogram persona={persona} size="1.5rem" />
          <span className="rail-name">{persona.name}</span>
        </Link>
      ))}
    </>
  )
}

function Places({ domainName, path }: { domainName: string; path: string }) {
  const { data } = useQuery({
    queryKey: [domainName, 'drafts', 'count'],
    queryFn: () => admin.listDrafts({ domain_name: domainName, limit: 100 }),
    retry: false,
  })
  const waiting = data?.drafts.length ?? 0
  const { data: me } = useMe()
  const shown = places.filter(([, , , right]) => me?.rights.includes(right))
  return shown.map(([place, label, icon]) => (
    <RailLink
      key={place}
      href={`/p/${domainName}/${place}`}
      label={label}
      icon={icon}
      isCurrent={path.split('/')[3] === place}
      count={place === 'copilot' ? waiting : 0}
    />
  ))
}

type RailLinkOf = { href: string; label: string; icon?: IconName; isCurrent: boolean; count?: number }

const RailLink = ({ href, label, icon, isCurrent, count = 0 }: RailLinkOf) => (
  <Link href={href} className="rail-link" aria-current={isCurrent ? 'page' : undefined}>
    {icon && <Icon name={icon} />} {label}
    {count > 0 && (
      <span className="rail-count">
        {count > 99 ? '99+' : count}
        <span className="unseen"> {words.waitingCount}</span>
      </span>
    )}
  </Link>
)

export function PersonaPage({ children }: { children: (persona: Persona) => ReactNode }) {
  const { domain = '' } = useParams<{ domain: string }>()
  const { data, error } = usePersona(domain)
  useEffect(() => {
    document.title = data ? `${data.name} · Memoir` : 'Memoir'
  }, [data])
  if (error) return <NotShown error={error} />
  return data ? children(data) : <Skeleton lines={6} />
}

// What has an address of its own, and is not shown.
export const NotShown = ({ error }: { error: Error }) =>
  error instanceof Refused && error.status === 404 ? <NotThere /> : <Wrong error={error} />

export const NotThere = () => (
  <>
    <h1>{words.nothingIsHere}</h1>
    <Empty
      title={words.pageDoesNotExist}
      actions={
        <Link href="/" className="button">
          {words.allPersonas}
        </Link>
      }
    >
      {words.addressMayBeMistyped}
    </Empty>
  </>
)

export const PageHead = ({
  title,
  children,
  actions,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
}) => (
  <header className="page-head">
    <div>
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
    {actions && <div className="row">{actions}</div>}
  </header>
)
