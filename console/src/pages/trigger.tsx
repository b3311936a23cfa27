// One trigger: switched, changed, tried out, and the log of what it delivered.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { admin, type Delivery, type Persona, type Trigger } from '../api/admin.ts'
import { usePaged } from '../api/queries.ts'
import { DeliveryDialog } from '../parts/delivery.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Older, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, momentOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { TriggerForm, TriggerSecret } from '../parts/trigger-form.tsx'
import { NotShown, PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'
import { Told, TriggerState } from './triggers.tsx'

const LOOK_MS = 1_000

export function TriggerPage({ persona, id }: { persona: Persona; id: string }) {
  const domainName = persona.domain_name
  const { data: trigger, error } = useQuery({
    queryKey: [domainName, 'triggers', id],
    queryFn: () => admin.getTrigger({ domain_name: domainName, id }),
  })
  if (error) return <NotShown error={error} />
  if (!trigger) return <Skeleton lines={6} />
  return (
    <div className="wide">
      <p className="small crumb">
        <Link href={`/p/${domainName}/triggers`}>{words.triggers}</Link>
      </p>
      <PageHead title={trigger.name} actions={<Actions domainName={domainName} trigger={trigger} />}>
        <span className="breaking">{trigger.deliver.url}</span>
      </PageHead>
      <div className="row">
        <TriggerState trigger={trigger} /> <Told trigger={trigger} />
      </div>
      {trigger.off_reason && <p className="document-error">{trigger.off_reason}</p>}
      {trigger.old_secret_until && new Date(trigger.old_secret_until) > new Date() && (
        <p className="hint">{words.oldSecretSignsUntil(momentOf(trigger.old_secret_until))}</p>
      )}
      <Deliveries domainName={domainName} trigger={trigger} />
    </div>
  )
}

function Actions({ domainName, trigger }: { domainName: string; trigger: Trigger }) {
  const say = useSay()
  const [, go] = useLocation()
  const queries = useQueryClient()
  const [shown, setShown] = useState<'edit' | 'rotate' | 'delete'>()
  const fields = { domain_name: domainName, id: trigger.id }
  const stale = () => queries.invalidateQueries({ queryKey: [domainName, 'triggers'] })
  const turn = useMutation({
    mutationFn: () => admin.changeTrigger({ ...fields, is_on: !trigger.is_on }),
    onSettled: stale,
  })
  const test = useMutation({
    mutationFn: () => admin.testTrigger(fields),
    onSuccess: () => say(words.testIsOnItsWay),
    onSettled: stale,
  })
  const rotate = useMutation({ mutationFn: () => admin.rotateTriggerSecret(fields), onSettled: stale })
  const remove = useMutation({
    mutationFn: () => admin.deleteTrigger(fields),
    onSuccess: () => {
      say(words.triggerDeleted)
      go(`/p/${domainName}/triggers`)
      stale()
    },
  })
  if (shown === 'delete' || shown === 'rotate')
    return (
      <>
        <span className="quiet">{shown === 'delete' ? words.deleteWithItsLog : words.makeANewSecret}</span>
        <button
          type="button"
          className={`button tiny ${shown === 'delete' ? 'danger' : 'main'}`}
          onClick={() => {
            if (shown === 'delete') remove.mutate()
            else rotate.mutate()
            setShown(undefined)
          }}
        >
          {shown === 'delete' ? words.delete : words.newSecret}
        </button>
        <button type="button" className="button tiny" onClick={() => setShown(undefined)}>
          {words.keep}
        </button>
      </>
    )
  return (
    <>
      <button type="button" className="button main tiny" disabled={test.isPending} onClick={() => test.mutate()}>
        <Icon name="send" size={15} /> {words.sendATest}
      </button>
      <button type="button" className="button tiny" disabled={turn.isPending} onClick={() => turn.mutate()}>
        {trigger.is_on ? words.switchOff : words.switchOn}
      </button>
      <button type="button" className="button tiny" onClick={() => setShown('edit')}>
        {words.change}
      </button>
      <button type="button" className="button tiny" onClick={() => setShown('rotate')}>
        {words.newSecretMore}
      </button>
      <button type="button" className="button tiny" onClick={() => setShown('delete')}>
        {words.deleteMore}
      </button>
      <Wrong error={test.error ?? turn.error ?? rotate.error ?? remove.error} />
      {shown === 'edit' && (
        <TriggerForm domainName={domainName} trigger={trigger} onClose={() => setShown(undefined)} />
      )}
      {rotate.data && <TriggerSecret secret={rotate.data.secret} onClose={rotate.reset} />}
    </>
  )
}

function Deliveries({ domainName, trigger }: { domainName: string; trigger: Trigger }) {
  const queries = useQueryClient()
  const say = useSay()
  const [opened, setOpened] = useState<string>()
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'triggers', trigger.id, 'deliveries'],
    async (before) => {
      const { deliveries, next } = await admin.listDeliveries({ domain_name: domainName, id: trigger.id, before })
      return { items: deliveries, next }
    },
  )
  const isMoving = items.some(({ state }) => state === 'waiting')
  useEffect(() => {
    if (!isMoving) return
    const look = setInterval(
      () => queries.invalidateQueries({ queryKey: [domainName, 'triggers', trigger.id] }),
      LOOK_MS,
    )
    return () => clearInterval(look)
  }, [isMoving, queries, domainName, trigger.id])
  const again = useMutation({
    mutationFn: () => admin.redeliverFailed({ domain_name: domainName, id: trigger.id }),
    onSuccess: ({ redelivered }) => {
      say(words.setToBeSentAgain(words.deliveriesCounted(redelivered)))
      queries.invalidateQueries({ queryKey: [domainName, 'triggers', trigger.id] })
    },
  })
  const hasFailed = items.some(({ state }) => state === 'failed')
  return (
    <section className="stack deliveries">
      <div className="row">
        <h2>{words.deliveries}</h2>
        {hasFailed && (
          <button type="button" className="button tiny" disabled={again.isPending} onClick={() => again.mutate()}>
            <Icon name="again" size={15} /> {words.sendAllFailedAgain}
          </button>
        )}
      </div>
      <Wrong error={error ?? again.error} />
      {!data && !error && <Skeleton lines={4} />}
      {data && items.length === 0 && <Empty title={words.nothingWasDeliveredYet}>{words.aboutDeliveries}</Empty>}
      {items.length > 0 && (
        <ul className="documents">
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpened(delivery.id)} />
          ))}
        </ul>
      )}
      {hasNextPage && <Older onClick={fetchNextPage} />}
      {opened && <DeliveryDialog domainName={domainName} id={opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

const tones = { sent: 'ready', waiting: 'draft', failed: 'failed' }

const DeliveryRow = ({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }) => (
  <li className="document">
    <div className="document-main">
      <span className="document-title">{delivery.type}</span>
      <span className="quiet small">
        {agoOf(delivery.created_at)}, {words.attemptsCounted(delivery.attempts)}
        {delivery.last_status !== null && `, ${words.status(delivery.last_status)}`}
        {delivery.next_attempt_at && delivery.attempts > 0 && `, ${words.againAt(momentOf(delivery.next_attempt_at))}`}
      </span>
      {delivery.last_error && delivery.state !== 'sent' && <p className="document-error">{delivery.last_error}</p>}
    </div>
    <div className="row document-side">
      <span className={`tag ${tones[delivery.state]}`}>{words.deliveryStates[delivery.state]}</span>
      <button type="button" className="button tiny" onClick={onOpen} aria-label={words.lookAt(delivery.type)}>
        {words.look}
      </button>
    </div>
  </li>
)
