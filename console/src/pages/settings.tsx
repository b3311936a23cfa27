// Who the persona is: name, picture, voice with a try-out, owner; and its end.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { admin, type Persona, type Receipt } from '../api/admin.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { ModelSettings } from '../parts/model-settings.tsx'
import { PictureField } from '../parts/persona-fields.tsx'
import { ShareSettings } from '../parts/share-settings.tsx'
import { Copy, Monogram, Score, Skeleton, Wrong } from '../parts/small.tsx'
import { TakeAlong } from '../parts/take-along.tsx'
import { count, sizeOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'

export function Settings({ persona }: { persona: Persona }) {
  const queries = useQueryClient()
  const say = useSay()
  const [changed, setChanged] = useState(persona)
  const set = (more: Partial<Persona>) => setChanged((before) => ({ ...before, ...more }))
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      admin.changePersona({
        domain_name: persona.domain_name,
        name: changed.name,
        picture: changed.picture ?? '',
        instructions: changed.instructions,
        owner: changed.owner,
      }),
    onSuccess: () => {
      say('Saved.')
      queries.invalidateQueries({ queryKey: ['personas'] })
      queries.invalidateQueries({ queryKey: [persona.domain_name] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <div className="wide">
      <PageHead title="Settings">
        Programs call it <Copy text={persona.domain_name} label="DomainName" />
      </PageHead>
      <form className="settings" onSubmit={submit}>
        <div className="stack">
          <PictureField persona={changed} onChange={(picture) => set({ picture: picture || null })} />
          <Field label="Name">
            <input
              className="input"
              value={changed.name}
              maxLength={256}
              required
              onChange={(event) => set({ name: event.target.value })}
            />
          </Field>
          <Field label="Voice" hint="Who it is, how it speaks, what it should know of itself.">
            <textarea
              className="input serif tall"
              value={changed.instructions}
              maxLength={20_000}
              placeholder="You are Ada. You speak warmly and briefly, in the first person."
              onChange={(event) => set({ instructions: event.target.value })}
            />
          </Field>
          <div className="row two">
            <OwnerField label="Owner’s name" name="name" persona={changed} onChange={set} />
            <OwnerField label="Owner’s e-mail" name="email" persona={changed} onChange={set} />
          </div>
          <Wrong error={error} />
          <div className="row">
            <button type="submit" className="button main" disabled={isPending}>
              Save
            </button>
          </div>
        </div>
        <Preview persona={changed} />
      </form>
      <hr />
      <ModelSettings key={JSON.stringify(persona.model)} persona={persona} />
      <hr />
      <ShareSettings key={JSON.stringify(persona.sharing)} persona={persona} />
      <hr />
      <TakeAlong key={persona.domain_name} persona={persona} />
      <hr />
      <Delete persona={persona} />
    </div>
  )
}

type OwnerFieldOf = {
  label: string
  name: 'name' | 'email'
  persona: Persona
  onChange: (more: Partial<Persona>) => void
}

const OwnerField = ({ label, name, persona, onChange }: OwnerFieldOf) => (
  <Field label={label}>
    <input
      className="input"
      value={persona.owner[name]}
      maxLength={256}
      onChange={(event) => onChange({ owner: { ...persona.owner, [name]: event.target.value } })}
    />
  </Field>
)

const PAUSE_MS = 700

// Asked again whenever the owner pauses: the voice as it is typed, before it is saved.
function Preview({ persona }: { persona: Persona }) {
  const [question, setQuestion] = useState('Who are you?')
  const asked = usePaused({ question: question.trim(), instructions: persona.instructions })
  const { data, error } = useQuery({
    queryKey: [persona.domain_name, 'preview', asked],
    queryFn: () => admin.preview({ domain_name: persona.domain_name, ...asked }),
    enabled: asked.question !== '',
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section className="card preview" aria-label="Preview">
      <Field label="Try it out" hint="Answered with the voice as you type it. Nothing is kept.">
        <input className="input" value={question} onChange={(event) => setQuestion(event.target.value)} />
      </Field>
      <div className="row preview-who">
        <Monogram persona={persona} size="2.2rem" />
        <b className="rail-name">{persona.name}</b>
      </div>
      <Wrong error={error} />
      <div aria-live="polite" className="stack">
        {!data && !error && <Skeleton lines={2} />}
        {data && <Markdown text={data.text} />}
        {data && <Score value={data.score} />}
      </div>
    </section>
  )
}

function usePaused<T extends object>(value: T): T {
  const [paused, setPaused] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(JSON.parse(text)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

function Delete({ persona }: { persona: Persona }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <section className="stack narrow">
      <h2>Delete {persona.name}</h2>
      <p className="quiet">
        Everything goes with it: documents, memories, conversations, drafts, and the keys that were for it alone. There
        is no way back.
      </p>
      <div>
        <button type="button" className="button danger" onClick={() => setAsked(true)}>
          Delete…
        </button>
      </div>
      {isAsked && <DeleteDialog persona={persona} onClose={() => setAsked(false)} />}
    </section>
  )
}

function DeleteDialog({ persona, onClose }: { persona: Persona; onClose: () => void }) {
  const queries = useQueryClient()
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => admin.deletePersona({ domain_name: persona.domain_name }),
  })
  const leave = () => {
    queries.removeQueries({ queryKey: [persona.domain_name] })
    queries.invalidateQueries({ queryKey: ['personas'] })
    go('/')
  }
  if (data) return <ReceiptDialog name={persona.name} receipt={data.deleted} onClose={leave} />
  return (
    <Dialog title={`Delete ${persona.name}?`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Field label={`Type ${persona.domain_name} to confirm`}>
          <input
            className="input"
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <FormEnd
          does="Delete for good"
          onBack={onClose}
          error={error}
          isOff={isPending || typed !== persona.domain_name}
          back="Keep"
          tone="danger"
        />
      </form>
    </Dialog>
  )
}

const ReceiptDialog = ({ name, receipt, onClose }: { name: string; receipt: Receipt; onClose: () => void }) => (
  <Dialog title={`${name} is deleted`} onClose={onClose}>
    <div className="stack">
      <dl className="facts">
        {Object.entries(receipt).map(([noun, amount]) => (
          <div key={noun} className="fact">
            <dt>{noun === 'file_bytes' ? 'files' : noun}</dt>
            <dd className="figures">{noun === 'file_bytes' ? sizeOf(amount) : count(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        <code>memoir compact</code> gives the room back, so that no byte of it is left.
      </p>
      <div className="row end">
        <button type="button" className="button main" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  </Dialog>
)
