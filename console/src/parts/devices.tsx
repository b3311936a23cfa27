// Where somebody is signed in: oneself, or for an administrator somebody else.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin, type SignedIn } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Row, RowButton } from './row.tsx'
import { Skeleton, Wrong } from './small.tsx'
import { agoOf, dayOf } from './times.ts'
import { useSay } from './toast.tsx'

// `person`: the id of somebody else.
export function Devices({ person }: { person?: string }) {
  const whose = person === undefined ? {} : { person }
  const queryKey = ['sign-ins', person ?? 'own']
  const queries = useQueryClient()
  const say = useSay()
  const { data, error } = useQuery({ queryKey, queryFn: async () => (await admin.listSignIns(whose)).sign_ins })
  const stale = () => queries.invalidateQueries({ queryKey })
  const endOthers = useMutation({
    mutationFn: () => admin.endSignIns(whose),
    onSuccess: ({ ended }) => say(words.sessionsEnded(ended)),
    onSettled: stale,
  })
  const isAny = data?.some((one) => !one.is_this)
  return (
    <section className="stack">
      <div className="row apart">
        <h2>{words.signedIn}</h2>
        {isAny && (
          <button type="button" className="button tiny" onClick={() => endOthers.mutate()}>
            {person === undefined ? words.endAllOthers : words.endAll}
          </button>
        )}
      </div>
      <Wrong error={error ?? endOthers.error} />
      {!data && !error && <Skeleton lines={3} />}
      {data?.length === 0 && <p className="quiet">{words.signedInNowhere}</p>}
      <ul className="documents">
        {data?.map((one) => (
          <Device key={one.id} one={one} onEnd={() => admin.endSignIn({ id: one.id, ...whose })} onEnded={stale} />
        ))}
      </ul>
    </section>
  )
}

type DeviceOf = { one: SignedIn; onEnd: () => Promise<unknown>; onEnded: () => void }

function Device({ one, onEnd, onEnded }: DeviceOf) {
  const { mutate, error, isPending } = useMutation({ mutationFn: onEnd, onSettled: onEnded })
  return (
    <Row
      title={
        <>
          {one.device} {one.is_this && <span className="tag ready">{words.thisOne}</span>}
        </>
      }
      about={
        <>
          {words.fromSeenSince(one.address, agoOf(one.last_seen_at), dayOf(one.created_at))}
          {one.is_kept && `, ${words.staysSignedIn}`}
        </>
      }
      error={error}
      actions={
        !one.is_this && (
          <RowButton label={words.endNamed(one.device)} isOff={isPending} onClick={() => mutate()}>
            {words.end}
          </RowButton>
        )
      }
    />
  )
}
