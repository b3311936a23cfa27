// Keys for programs: handed out, looked at, taken back.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { admin, type Key } from '../api/admin.ts'
import { usePersonas } from '../api/queries.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, dayOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'

const scopes: [Key['scopes'][number], string][] = [
  ['message', 'Talk'],
  ['instruction', 'Instruct'],
  ['memory', 'Add memories'],
  ['upload', 'Upload documents'],
  ['read', 'Read documents and history'],
  ['update', 'Replace texts'],
  ['sessions', 'Go on with sessions of other keys'],
]

export function Keys() {
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({ queryKey: ['keys'], queryFn: async () => (await admin.listKeys({})).keys })
  useEffect(() => {
    document.title = 'Keys · Memoir'
  }, [])
  const create = (
    <button type="button" className="button main" onClick={() => setNew(true)}>
      <Icon name="plus" /> New key
    </button>
  )
  return (
    <div className="wide">
      <PageHead title="Keys" actions={create}>
        Programs send one in <code>x-api-key</code>. Give each program its own, with no more than it needs.
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {data?.length === 0 && (
        <Empty title="No keys yet" actions={create}>
          A key lets a program talk to your personas, or teach them. It is shown once, and you can revoke it at any
          time.
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul className="documents">
          {data.map((key) => (
            <KeyRow key={key.id} one={key} />
          ))}
        </ul>
      )}
      {isNew && <NewKey onClose={() => setNew(false)} />}
    </div>
  )
}

function KeyRow({ one }: { one: Key }) {
  const queries = useQueryClient()
  const say = useSay()
  const [isAsked, setAsked] = useState(false)
  const { mutate, error } = useMutation({
    mutationFn: () => admin.revokeKey({ id: one.id }),
    onSuccess: () => {
      say('Revoked. It is refused from now on.')
      queries.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  const isOver = one.expires_at !== null && new Date(one.expires_at) < new Date()
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">
          {one.name || 'Unnamed'} <code className="quiet">…{one.last4}</code>
        </span>
        <span className="quiet small">
          {one.personas === '*' ? 'All personas' : one.personas.join(', ') || 'No persona any more'},{' '}
          {one.last_used_at ? `last used ${agoOf(one.last_used_at)}` : 'never used'}
          {one.expires_at && `, ${isOver ? 'ran out' : 'runs out'} ${dayOf(one.expires_at)}`}
        </span>
        <span className="row">
          {one.scopes.length === scopes.length ? (
            <span className="tag">everything</span>
          ) : (
            one.scopes.map((scope) => (
              <span key={scope} className="tag">
                {scope}
              </span>
            ))
          )}
          {one.legacy && <span className="tag">legacy</span>}
          {isOver && <span className="tag failed">expired</span>}
        </span>
        <Wrong error={error} />
      </div>
      <div className="row document-side">
        {isAsked ? (
          <>
            <button type="button" className="button danger tiny" onClick={() => mutate()}>
              Revoke {one.name || `…${one.last4}`}
            </button>
            <button type="button" className="button tiny" onClick={() => setAsked(false)}>
              Keep
            </button>
          </>
        ) : (
          <button
            type="button"
            className="button tiny"
            aria-label={`Revoke ${one.name || one.last4}`}
            onClick={() => setAsked(true)}
          >
            Revoke
          </button>
        )}
      </div>
    </li>
  )
}

function NewKey({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { data: personas = [] } = usePersonas()
  const [isForAll, setForAll] = useState(true)
  const [isAsked, setAsked] = useState(false)
  const {
    mutate,
    data: made,
    error,
    isPending,
  } = useMutation({
    mutationFn: admin.createKey,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const expires = String(form.get('expires'))
    const name = String(form.get('name')).trim()
    // Nobody would know later what it was for, and whoever finds it may do everything.
    if (isForAll && name === '' && form.getAll('scopes').length === scopes.length && !isAsked) {
      setAsked(true)
      return
    }
    mutate({
      name,
      personas: isForAll ? '*' : form.getAll('personas').map(String),
      scopes: form.getAll('scopes') as Key['scopes'],
      default_persona: String(form.get('default')) || undefined,
      legacy: form.has('legacy') || undefined,
      expires_at: expires === '' ? undefined : new Date(`${expires}T23:59:59`).toISOString(),
    })
  }
  if (made)
    return (
      <ShownOnce title="The new key" label="key" text={made.key} onClose={onClose}>
        Copy it now: it is shown this once, and only its hash is kept.
      </ShownOnce>
    )
  return (
    <Dialog title="New key" onClose={onClose}>
      <form className="stack" onSubmit={submit} onChange={() => setAsked(false)}>
        <Field label="Name">
          <input className="input" name="name" maxLength={256} placeholder="Which program is it for?" />
        </Field>
        <fieldset>
          <legend className="field-label">Personas</legend>
          <div className="row">
            <label className="choice">
              <input type="radio" name="which" checked={isForAll} onChange={() => setForAll(true)} /> All, also later
              ones
            </label>
            <label className="choice">
              <input type="radio" name="which" checked={!isForAll} onChange={() => setForAll(false)} /> Only these
            </label>
          </div>
          {!isForAll && (
            <div className="row">
              {personas.map(({ domain_name: domainName, name }) => (
                <label key={domainName} className="choice">
                  <input type="checkbox" name="personas" value={domainName} /> {name}
                </label>
              ))}
            </div>
          )}
        </fieldset>
        <fieldset>
          <legend className="field-label">May</legend>
          <div className="row">
            {scopes.map(([scope, label]) => (
              <label key={scope} className="choice">
                <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'message'} /> {label}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="row two">
          <Field label="Runs out" hint="Empty: never.">
            <input className="input" type="date" name="expires" />
          </Field>
          <Field label="Default persona" hint="Used when a request names none.">
            <select className="input" name="default" defaultValue="">
              <option value="">None</option>
              {personas.map(({ domain_name: domainName, name }) => (
                <option key={domainName} value={domainName}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <label className="choice">
          <input type="checkbox" name="legacy" /> For a program of 2023: older field names, older answers
        </label>
        {isAsked && (
          <p className="wrong" role="alert">
            This key may do everything with every persona, and has no name to know it by later. Give it a name, or less
            to do; or create it as it is.
          </p>
        )}
        <FormEnd
          does={isAsked ? 'Create it all the same' : 'Create'}
          onBack={onClose}
          error={error}
          isOff={isPending}
        />
      </form>
    </Dialog>
  )
}
