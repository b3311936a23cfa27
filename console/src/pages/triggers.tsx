// Other programs that are told what happens: the triggers of a persona.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { admin, type Persona, type Trigger } from '../api/admin.ts'
import { Filled } from '../parts/filled.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { events, TriggerForm } from '../parts/trigger-form.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function Triggers({ persona }: { persona: Persona }) {
  const domainName = persona.domain_name
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({
    queryKey: [domainName, 'triggers', 'list'],
    queryFn: async () => (await admin.listTriggers({ domain_name: domainName })).triggers,
  })
  const create = (
    <button type="button" className="button main" onClick={() => setNew(true)}>
      <Icon name="plus" /> {words.newTrigger}
    </button>
  )
  return (
    <div className="wide">
      <PageHead title={words.triggers} actions={create}>
        {words.aboutTriggers}
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {data?.length === 0 && (
        <Empty title={words.nobodyIsToldYet} actions={create}>
          {words.whatATriggerDoes}
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
      <span className="tag">{words.everything}</span>
    ) : (
      trigger.on.map((type) => (
        <span key={type} className="tag">
          {type}
        </span>
      ))
    )}
    {trigger.source !== '*' && <span className="tag draft">{words.fromSource(trigger.source)}</span>}
  </>
)

export const TriggerState = ({ trigger }: { trigger: Trigger }) => {
  if (!trigger.is_on) return <span className="tag failed">{words.off}</span>
  if (trigger.failing_since)
    return <span className="tag draft">{words.failingSince(agoOf(trigger.failing_since))}</span>
  return <span className="tag ready">{words.on}</span>
}

function SourceNames({ persona }: { persona: Persona }) {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (required: boolean) =>
      admin.changePersona({ domain_name: persona.domain_name, requires_source_name: required }),
    onSuccess: ({ requires_source_name: required }) => {
      say(required ? words.sourceNameIsRequired : words.sourceNameIsOptional)
      queries.invalidateQueries({ queryKey: [persona.domain_name, 'persona'] })
    },
  })
  return (
    <section className="stack narrow">
      <h2>{words.whereMessagesComeFrom}</h2>
      <p className="quiet">
        <Filled text={words.sourceKnowsMessages}>
          <code>SourceName</code>
        </Filled>
      </p>
      <div className="row">
        <label className="choice">
          <input
            type="checkbox"
            checked={persona.requires_source_name}
            disabled={isPending}
            onChange={(event) => mutate(event.target.checked)}
          />{' '}
          {words.everyMessageNeedsSource}
        </label>
      </div>
      <Wrong error={error} />
    </section>
  )
}
