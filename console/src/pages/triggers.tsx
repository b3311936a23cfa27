// Other programs that are told what happens: the triggers of a persona.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { admin, type Persona, type Trigger } from '../api/admin.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { events, TriggerForm } from '../parts/trigger-form.tsx'
import { PageHead } from '../shell.tsx'

export function Triggers({ persona }: { persona: Persona }) {
  const domainName = persona.domain_name
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({
    queryKey: [domainName, 'triggers', 'list'],
    queryFn: async () => (await admin.listTriggers({ domain_name: domainName })).triggers,
  })
  const create = (
    <button type="button" className="button main" onClick={() => setNew(true)}>
      <Icon name="plus" /> New trigger
    </button>
  )
  return (
    <div className="wide">
      <PageHead title="Triggers" actions={create}>
        When something happens, another program is told: a signed webhook, tried again for a day until it arrives.
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {data?.length === 0 && (
        <Empty title="Nobody is told yet" actions={create}>
          A trigger posts messages, replies, drafts and what was learned to an address of yours, as they happen. No
          message waits for it.
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul className="documents">
          {data.map((trigger) => (
            <TriggerRow key={trigger.id} domainName={domainName} trigger={trigger} />
          ))}
        </ul>
      )}
      <hr />
      <SourceNames persona={persona} />
      {isNew && <TriggerForm domainName={domainName} onClose={() => setNew(false)} />}
    </div>
  )
}

const TriggerRow = ({ domainName, trigger }: { domainName: string; trigger: Trigger }) => (
  <li className="document">
    <div className="document-main">
      <Link className="document-title" href={`/p/${domainName}/triggers/${trigger.id}`}>
        {trigger.name}
      </Link>
      <span className="quiet small breaking">{trigger.deliver.url}</span>
      <span className="row">
        <Told trigger={trigger} />
      </span>
      {trigger.off_reason && <p className="document-error">{trigger.off_reason}</p>}
    </div>
    <div className="row document-side">
      <TriggerState trigger={trigger} />
    </div>
  </li>
)

export const Told = ({ trigger }: { trigger: Trigger }) => (
  <>
    {trigger.on.length === events.length ? (
      <span className="tag">everything</span>
    ) : (
      trigger.on.map((type) => (
        <span key={type} className="tag">
          {type}
        </span>
      ))
    )}
    {trigger.source !== '*' && <span className="tag draft">from {trigger.source}</span>}
  </>
)

export const TriggerState = ({ trigger }: { trigger: Trigger }) => {
  if (!trigger.is_on) return <span className="tag failed">off</span>
  if (trigger.failing_since) return <span className="tag draft">failing, first {agoOf(trigger.failing_since)}</span>
  return <span className="tag ready">on</span>
}

function SourceNames({ persona }: { persona: Persona }) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (required: boolean) =>
      admin.changePersona({ domain_name: persona.domain_name, requires_source_name: required }),
    onSuccess: ({ requires_source_name: required }) => {
      say(required ? 'Messages without SourceName are refused from now on.' : 'SourceName may be left out again.')
      queries.invalidateQueries({ queryKey: [persona.domain_name, 'persona'] })
    },
  })
  return (
    <section className="stack narrow">
      <h2>Where messages come from</h2>
      <p className="quiet">
        A trigger for one source knows a message by its <code>SourceName</code>. You can refuse messages that do not
        carry one.
      </p>
      <div className="row">
        <label className="choice">
          <input
            type="checkbox"
            checked={persona.requires_source_name}
            disabled={isPending}
            onChange={(event) => mutate(event.target.checked)}
          />{' '}
          Every message must carry SourceName
        </label>
      </div>
      <Wrong error={error} />
    </section>
  )
}
