// Feeds and sites that the persona follows, and what the last look at each brought.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { admin, type FollowedSource, type Persona } from '../api/admin.ts'
import { FollowForm } from '../parts/follow-form.tsx'
import { Icon } from '../parts/icon.tsx'
import { May } from '../parts/may.tsx'
import { Bar, Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, momentOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

const LOOK_MS = 1_500

export function Following({ persona }: { persona: Persona }) {
  const domainName = persona.domain_name
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({
    queryKey: [domainName, 'sources'],
    queryFn: async () => (await admin.listSources({ domain_name: domainName })).sources,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? LOOK_MS : 10 * LOOK_MS),
  })
  const follow = (
    <May right="manage">
      <button type="button" className="button main" onClick={() => setNew(true)}>
        <Icon name="plus" /> {words.follow.follow}
      </button>
    </May>
  )
  return (
    <div className="wide">
      <PageHead title={words.following} actions={follow}>
        {words.follow.about(persona.name)}
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {data?.length === 0 && (
        <Empty title={words.follow.nothingYet} actions={follow}>
          {words.follow.whatItDoes}
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul className="documents">
          {data.map((source) => (
            <SourceRow key={source.id} domainName={domainName} source={source} />
          ))}
        </ul>
      )}
      {isNew && <FollowForm domainName={domainName} onClose={() => setNew(false)} />}
    </div>
  )
}

// Looked at, or about to be.
const isMoving = ({ is_on, looking, next_look_at }: FollowedSource): boolean =>
  looking !== null || (is_on && next_look_at !== null && new Date(next_look_at) <= new Date())

function SourceRow({ domainName, source }: { domainName: string; source: FollowedSource }) {
  const { looking, last_look: last, error, off_reason: off } = source
  const progress = looking && looking.of > 0 && isMoving(source) ? looking : null
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">{source.title || source.url}</span>
        {source.title && <span className="quiet small breaking">{source.url}</span>}
        <span className="row">
          {source.kind && <span className="tag">{words.follow.kinds[source.kind]}</span>}
          <span className="tag">{words.follow.everyOptions[source.every] ?? words.follow.every(source.every)}</span>
          <SourceState source={source} />
        </span>
        {progress && (
          <Bar
            percent={Math.floor((100 * progress.done) / progress.of)}
            label={words.follow.lookingAt(progress.done, progress.of)}
          />
        )}
        {(off ?? error) && <p className="document-error">{off ?? error}</p>}
        {last && <LastLook domainName={domainName} last={last} />}
      </div>
      <May right="manage">
        <Actions domainName={domainName} source={source} />
      </May>
    </li>
  )
}

function SourceState({ source: { is_on, looking, failures, last_look: last, next_look_at: next } }: Shown) {
  if (!is_on) return <span className="tag failed">{words.off}</span>
  const later = next && new Date(next) > new Date() ? words.follow.nextLook(momentOf(next)) : null
  if (failures > 0)
    return (
      <>
        <span className="tag draft">{words.follow.failing(failures)}</span>
        {later && <span className="quiet small">{later}</span>}
      </>
    )
  if (looking)
    return (
      <span className="tag">
        {looking.of > 0 ? words.follow.lookingAt(looking.done, looking.of) : words.follow.looking}
      </span>
    )
  if (!last) return <span className="tag">{words.follow.notYet}</span>
  return (
    <>
      <span className="tag ready">{words.on}</span>
      {later && <span className="quiet small">{later}</span>}
    </>
  )
}

type Shown = { source: FollowedSource }

function LastLook({ domainName, last }: { domainName: string; last: NonNullable<FollowedSource['last_look']> }) {
  const reasons = Object.entries(last.left_out)
  const left = reasons.reduce((sum, [, pages]) => sum + pages, 0)
  return (
    <div className="small">
      <span>
        {words.follow.lookedAgo(agoOf(last.at))} {words.follow.brought(last.new, last.changed, last.same)}
      </span>
      {last.vanished > 0 && (
        <details>
          <summary>{words.follow.vanished(last.vanished)}</summary>
          <ul>
            {last.vanished_pages.map(({ url, document_id: id }) => (
              <li key={url} className="breaking">
                {url} <Link href={`/p/${domainName}/documents/${id}`}>{words.follow.itsDocument}</Link>
              </li>
            ))}
          </ul>
        </details>
      )}
      {left > 0 && (
        <details>
          <summary>{words.follow.leftOut(left)}</summary>
          <ul>
            {reasons.map(([why, pages]) => (
              <li key={why}>
                {pages} × {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Actions({ domainName, source }: { domainName: string } & Shown) {
  const say = useSay()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const fields = { domain_name: domainName, id: source.id }
  const onSettled = () => queries.invalidateQueries({ queryKey: [domainName, 'sources'] })
  const look = useMutation({
    mutationFn: () => admin.lookAtSource(fields),
    onSuccess: () => say(words.follow.isLookedAt),
    onSettled,
  })
  const turn = useMutation({ mutationFn: () => admin.changeSource({ ...fields, is_on: !source.is_on }), onSettled })
  const remove = useMutation({
    mutationFn: () => admin.deleteSource(fields),
    onSuccess: () => say(words.follow.stopped),
    onSettled,
  })
  const error = look.error ?? turn.error ?? remove.error
  if (isAsking)
    return (
      <div className="row document-side">
        <span className="quiet small">{words.follow.stopAsk}</span>
        <button
          type="button"
          className="button tiny danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {words.follow.stop}
        </button>
        <button type="button" className="button tiny" onClick={() => setAsking(false)}>
          {words.cancel}
        </button>
      </div>
    )
  return (
    <div className="row document-side">
      <Wrong error={error} />
      {source.is_on && (
        <button type="button" className="button tiny" disabled={look.isPending} onClick={() => look.mutate()}>
          <Icon name="again" size={14} /> {words.follow.lookNow}
        </button>
      )}
      <button type="button" className="button tiny" disabled={turn.isPending} onClick={() => turn.mutate()}>
        {source.is_on ? words.switchOff : words.switchOn}
      </button>
      <button
        type="button"
        className="button tiny icon plain"
        aria-label={words.follow.stop}
        title={words.follow.stop}
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" size={16} />
      </button>
    </div>
  )
}
