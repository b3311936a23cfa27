// One delivery: what was sent, what every attempt met, and sending it again.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin, type WholeDelivery } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Copy, Skeleton, Wrong } from './small.tsx'
import { milliseconds, momentOf } from './times.ts'
import { useSay } from './toast.tsx'

export function DeliveryDialog({ domainName, id, onClose }: { domainName: string; id: string; onClose: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const { data, error } = useQuery({
    queryKey: [domainName, 'delivery', id],
    queryFn: () => admin.getDelivery({ domain_name: domainName, id }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 1_000 : false),
  })
  const again = useMutation({
    mutationFn: () => admin.redeliver({ domain_name: domainName, id }),
    onSuccess: () => {
      say(words.itIsSentAgain)
      queries.invalidateQueries({ queryKey: [domainName, 'delivery', id] })
      queries.invalidateQueries({ queryKey: [domainName, 'triggers'] })
    },
  })
  return (
    <Dialog title={data?.type ?? words.delivery} onClose={onClose}>
      <Wrong error={error ?? again.error} />
      {!data && !error && <Skeleton lines={5} />}
      {data && (
        <div className="stack">
          <p className="small">
            <Copy text={data.id} label="webhook-id" />
          </p>
          <Log delivery={data} />
          <details>
            <summary>{words.whatIsSent}</summary>
            <pre>{JSON.stringify(data.payload, null, 2)}</pre>
          </details>
          <div className="row end">
            <button type="button" className="button main" disabled={again.isPending} onClick={() => again.mutate()}>
              <Icon name="again" size={15} /> {words.sendAgain}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

const Log = ({ delivery: { log } }: { delivery: WholeDelivery }) => (
  <ul className="documents" aria-label={words.attempts}>
    {log.length === 0 && <li className="document quiet">{words.notTriedYet}</li>}
    {log.map((attempt) => (
      <li key={attempt.at} className="document">
        <div className="document-main">
          <span className="small">
            {momentOf(attempt.at)}, {milliseconds(attempt.took_ms)}
          </span>
          {attempt.error && <p className="document-error">{attempt.error}</p>}
          {attempt.response && <code className="small breaking">{attempt.response}</code>}
        </div>
        <span className={`tag ${attempt.error ? 'failed' : 'ready'}`}>{attempt.status ?? words.noAnswer}</span>
      </li>
    ))}
  </ul>
)
