// Keys for programs: handed out, looked at, taken back.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { admin, type Key } from '../api/admin.ts'
import { usePersonas } from '../api/queries.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Filled } from '../parts/filled.tsx'
import { Icon } from '../parts/icon.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, dayOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

const scopes = Object.entries(words.scopes) as [Key['scopes'][number], string][]

export function Keys() {
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery({ queryKey: ['keys'], queryFn: async () => (await admin.listKeys({})).keys })
  useEffect(() => {
    document.title = `${words.keys} · Memoir`
  }, [])
  const create = (
    <button type="button" className="button main" onClick={() => setNew(true)}>
      <Icon name="plus" /> {words.newKey}
    </button>
  )
  return (
    <div className="wide">
      <PageHead title={words.keys} actions={create}>
        <Filled text={words.programsSendOne}>
          <code>x-api-key</code>
        </Filled>
      </PageHead>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {data?.length === 0 && (
        <Empty title={words.noKeysYet} actions={create}>
          {words.aboutKeys}
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
      say(words.revoked)
      queries.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  const isOver = one.expires_at !== null && new Date(one.expires_at) < new Date()
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">
          {one.name || words.unnamed} <code className="quiet">…{one.last4}</code>
        </span>
        <span className="quiet small">
          {one.personas === '*' ? words.allPersonas : one.personas.join(', ') || words.noPersonaAnyMore},{' '}
          {one.last_used_at ? words.lastUsed(agoOf(one.last_used_at)) : words.neverUsed}
          {one.expires_at && `, ${(isOver ? words.ranOutOn : words.runsOutOn)(dayOf(one.expires_at))}`}
        </span>
        <span className="row">
          {one.scopes.length === scopes.length ? (
            <span className="tag">{words.everything}</span>
          ) : (
            one.scopes.map((scope) => (
              <span key={scope} className="tag">
                {scope}
              </span>
            ))
          )}
          {one.legacy && <span className="tag">{words.legacy}</span>}
          {isOver && <span className="tag failed">{words.expired}</span>}
        </span>
        <Wrong error={error} />
      </div>
      <div className="row document-side">
        {isAsked ? (
          <>
            <button type="button" className="button danger tiny" onClick={() => mutate()}>
              {words.revokeIt(one.name || `…${one.last4}`)}
            </button>
            <button type="button" className="button tiny" onClick={() => setAsked(false)}>
              {words.keep}
            </button>
          </>
        ) : (
          <button
            type="button"
            className="button tiny"
            aria-label={words.revokeIt(one.name || one.last4)}
            onClick={() => setAsked(true)}
          >
            {words.revoke}
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
      <ShownOnce title={words.theNewKey} label={words.key} text={made.key} onClose={onClose}>
        {words.copyKeyNow}
      </ShownOnce>
    )
  return (
    <Dialog title={words.newKey} onClose={onClose}>
      <form className="stack" onSubmit={submit} onChange={() => setAsked(false)}>
        <Field label={words.name}>
          <input className="input" name="name" maxLength={256} placeholder={words.whichProgramIsItFor} />
        </Field>
        <fieldset>
          <legend className="field-label">{words.personas}</legend>
          <div className="row">
            <label className="choice">
              <input type="radio" name="which" checked={isForAll} onChange={() => setForAll(true)} />{' '}
              {words.allAlsoLaterOnes}
            </label>
            <label className="choice">
              <input type="radio" name="which" checked={!isForAll} onChange={() => setForAll(false)} />{' '}
              {words.onlyThese}
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
          <legend className="field-label">{words.may}</legend>
          <div className="row">
            {scopes.map(([scope, label]) => (
              <label key={scope} className="choice">
                <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'message'} /> {label}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="row two">
          <Field label={words.runsOut} hint={words.emptyNever}>
            <input className="input" type="date" name="expires" />
          </Field>
          <Field label={words.defaultPersona} hint={words.usedWhenNoneIsNamed}>
            <select className="input" name="default" defaultValue="">
              <option value="">{words.none}</option>
              {personas.map(({ domain_name: domainName, name }) => (
                <option key={domainName} value={domainName}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <label className="choice">
          <input type="checkbox" name="legacy" /> {words.forALegacyProgram}
        </label>
        {isAsked && (
          <p className="wrong" role="alert">
            {words.keyMayDoEverything}
          </p>
        )}
        <FormEnd
          does={isAsked ? words.createAllTheSame : words.create}
          onBack={onClose}
          error={error}
          isOff={isPending}
        />
      </form>
    </Dialog>
  )
}
