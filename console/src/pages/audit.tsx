// What owners, keys and the service did, newest first, and whether anything in that record was changed.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type AuditEntry, admin } from '../api/admin.ts'
import { Icon } from '../parts/icon.tsx'
import { May } from '../parts/may.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf } from '../parts/times.ts'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function Audit() {
  useEffect(() => {
    document.title = `${words.audit} · Memoir`
  }, [])
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => admin.listAudit({ limit: 50, ...(pageParam && { before: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const { data: keys = [] } = useQuery({ queryKey: ['keys'], queryFn: async () => (await admin.listKeys({})).keys })
  const names = new Map(keys.map(({ id, name, last4 }) => [id, name || `…${last4}`]))
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="wide">
      <PageHead
        title={words.audit}
        actions={
          <May right="administer">
            <Verify />
          </May>
        }
      >
        {words.aboutAudit}
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={8} />}
      {data && entries.length === 0 && <Empty title={words.nothingWasDoneYet}>{words.whatYouDoNext}</Empty>}
      <ul className="documents">
        {entries.map((entry) => (
          <EntryRow key={entry.number} entry={entry} who={entry.name ?? names.get(entry.who) ?? entry.who} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="row">
          <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.earlier}
          </button>
        </div>
      )}
    </div>
  )
}

const EntryRow = ({ entry, who }: { entry: AuditEntry; who: string }) => (
  <li className="document">
    <div className="document-main">
      <span className="document-title">
        {who} <span className="quiet">{wordsOf(entry.what)}</span> {entry.on}
      </span>
      <span className="quiet small">{words.agoFrom(agoOf(entry.at), entry.from)}</span>
    </div>
    {entry.outcome !== 'done' && <span className="tag failed">{entry.outcome.replaceAll('_', ' ')}</span>}
  </li>
)

// "createPersona" reads "create persona".
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function Verify() {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => admin.verifyAudit({}) })
  return (
    <div className="row">
      <Wrong error={error} />
      {data && (
        <span className={data.is_whole ? 'quiet small' : 'wrong'} role="status">
          {data.is_whole ? words.entriesWhole(data.entries) : words.changedAtEntry(data.broken_at ?? 0)}
        </span>
      )}
      <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
        <Icon name="check" /> {words.verify}
      </button>
    </div>
  )
}
