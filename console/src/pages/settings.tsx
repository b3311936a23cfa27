// Who the persona is: name, picture, voice with a try-out, owner; and its end.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { admin, type Persona, type Receipt } from '../api/admin.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Filled } from '../parts/filled.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { ModelSettings } from '../parts/model-settings.tsx'
import { EmbedderSettings } from '../parts/model-state.tsx'
import { PictureField } from '../parts/persona-fields.tsx'
import { ShareSettings } from '../parts/share-settings.tsx'
import { Copy, Monogram, Score, Skeleton, Wrong } from '../parts/small.tsx'
import { TakeAlong } from '../parts/take-along.tsx'
import { count, sizeOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

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
      say(words.saved)
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
      <PageHead title={words.settings}>
        <Filled text={words.programsCallIt}>
          <Copy text={persona.domain_name} label="DomainName" />
        </Filled>
      </PageHead>
      <form className="settings" onSubmit={submit}>
        <div className="stack">
          <PictureField persona={changed} onChange={(picture) => set({ picture: picture || null })} />
          <Field label={words.name}>
            <input
              className="input"
              value={changed.name}
              maxLength={256}
              required
              onChange={(event) => set({ name: event.target.value })}
            />
          </Field>
          <Field label={words.voice} hint={words.whoItIs}>
            <textarea
              className="input serif tall"
              value={changed.instructions}
              maxLength={20_000}
              placeholder={words.youAreAda}
              onChange={(event) => set({ instructions: event.target.value })}
            />
          </Field>
          <div className="row two">
            <OwnerField label={words.ownersName} name="name" persona={changed} onChange={set} />
            <OwnerField label={words.ownersEmail} name="email" persona={changed} onChange={set} />
          </div>
          <Wrong error={error} />
          <div className="row">
            <button type="submit" className="button main" disabled={isPending}>
              {words.save}
            </button>
          </div>
        </div>
        <Preview persona={changed} />
      </form>
      <hr />
      <ModelSettings key={JSON.stringify(persona.model)} persona={persona} />
      <hr />
      <EmbedderSettings domainName={persona.domain_name} />
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
  const [question, setQuestion] = useState(words.whoAreYou)
  const asked = usePaused({ question: question.trim(), instructions: persona.instructions })
  const { data, error } = useQuery({
    queryKey: [persona.domain_name, 'preview', asked],
    queryFn: () => admin.preview({ domain_name: persona.domain_name, ...asked }),
    enabled: asked.question !== '',
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section className="card preview" aria-label={words.preview}>
      <Field label={words.tryItOut} hint={words.answeredWithTheVoiceTyped}>
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
      <h2>{words.deleteNamed(persona.name)}</h2>
      <p className="quiet">{words.everythingGoesWithIt}</p>
      <div>
        <button type="button" className="button danger" onClick={() => setAsked(true)}>
          {words.deleteMore}
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
    <Dialog title={words.deleteNamedAsk(persona.name)} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Field label={words.typeToConfirm(persona.domain_name)}>
          <input
            className="input"
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <FormEnd
          does={words.deleteForGood}
          onBack={onClose}
          error={error}
          isOff={isPending || typed !== persona.domain_name}
          back={words.keep}
          tone="danger"
        />
      </form>
    </Dialog>
  )
}

const nouns: Record<string, string> = words.nouns

const ReceiptDialog = ({ name, receipt, onClose }: { name: string; receipt: Receipt; onClose: () => void }) => (
  <Dialog title={words.isDeleted(name)} onClose={onClose}>
    <div className="stack">
      <dl className="facts">
        {Object.entries(receipt).map(([noun, amount]) => (
          <div key={noun} className="fact">
            <dt>{nouns[noun] ?? noun}</dt>
            <dd className="figures">{noun === 'file_bytes' ? sizeOf(amount) : count(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        <Filled text={words.givesTheRoomBack}>
          <code>memoir compact</code>
        </Filled>
      </p>
      <div className="row end">
        <button type="button" className="button main" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </div>
  </Dialog>
)
