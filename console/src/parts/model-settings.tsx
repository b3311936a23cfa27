// The chat model a persona writes with, if it has one of its own.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { admin, type Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Field } from './field.tsx'
import { ModelTrouble } from './model-state.tsx'
import { Wrong } from './small.tsx'
import { SpentOn } from './spent.tsx'
import { milliseconds } from './times.ts'
import { useSay } from './toast.tsx'

type Model = NonNullable<Persona['model']>
type Given = NonNullable<Parameters<typeof admin.changePersona>[0]['model']>

const providers: [Model['provider'], string][] = [
  ['openai-compatible', words.aServerOfYours],
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['local', words.memoirItself],
]

export function ModelSettings({ persona }: { persona: Persona }) {
  const { model } = persona
  const queries = useQueryClient()
  const say = useSay()
  const [provider, setProvider] = useState<Model['provider']>(model?.provider ?? 'openai-compatible')
  const { mutate, error, isPending } = useMutation({
    mutationFn: (changed: Parameters<typeof admin.changePersona>[0]['model']) =>
      admin.changePersona({ domain_name: persona.domain_name, model: changed }),
    onSuccess: ({ model: now }) => {
      say(now ? words.writesWithNow(persona.name, now.name) : words.hasNoChatModel(persona.name))
      queries.invalidateQueries({ queryKey: [persona.domain_name] })
    },
  })
  const trial = useMutation({
    mutationFn: (tried: Given) => admin.testModel({ domain_name: persona.domain_name, model: tried }),
  })
  const form = useRef<HTMLFormElement>(null)
  const given = (): Given => {
    const fields = new FormData(form.current!)
    const text = (name: string) => String(fields.get(name)).trim()
    const prices = { prompt: Number(text('prompt')), answer: Number(text('answer')), currency: text('currency') }
    const named = {
      provider,
      name: text('name'),
      prices: text('prompt') === '' && text('answer') === '' ? null : prices,
    }
    return provider === 'local' ? named : { ...named, url: text('url') || null, key: text('key') || undefined }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(given())
  }
  return (
    <section className="stack narrow">
      <h2>{words.chatModel}</h2>
      <p className="quiet">{words.aboutChatModel(persona.name)}</p>
      <ModelTrouble domainName={persona.domain_name} />
      <form className="stack" ref={form} onSubmit={submit}>
        <Field label={words.servedBy}>
          <select
            className="input"
            value={provider}
            onChange={(event) => setProvider(event.target.value as Model['provider'])}
          >
            {providers.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <div className="row two">
          <Field label={words.model}>
            <input
              className="input"
              name="name"
              defaultValue={model?.name}
              maxLength={256}
              required
              spellCheck={false}
            />
          </Field>
          {provider !== 'local' && (
            <Field label={words.address} hint={provider === 'openai-compatible' ? undefined : words.emptyTheVendorsOwn}>
              <input
                className="input"
                name="url"
                type="url"
                defaultValue={model?.url ?? ''}
                required={provider === 'openai-compatible'}
                placeholder="http://127.0.0.1:11434/v1"
              />
            </Field>
          )}
        </div>
        {provider !== 'local' && (
          <Field label={words.itsKey} hint={model?.has_key ? words.keyIsKept : words.keyIfAsked}>
            <input className="input" name="key" type="password" autoComplete="off" />
          </Field>
        )}
        <Prices model={model} />
        <Wrong error={error} />
        <div className="row">
          <button type="submit" className="button" disabled={isPending}>
            {model ? words.changeTheModel : words.useThisModel}
          </button>
          <button
            type="button"
            className="button"
            onClick={() => form.current!.reportValidity() && trial.mutate(given())}
            disabled={trial.isPending}
          >
            {trial.isPending ? words.asking : words.testTheConnection}
          </button>
          {model && (
            <button type="button" className="button plain" onClick={() => mutate(null)} disabled={isPending}>
              {words.doWithout}
            </button>
          )}
        </div>
      </form>
      <div aria-live="polite" className="stack">
        <Wrong error={trial.error} />
        {trial.data && <Trial {...trial.data} />}
      </div>
    </section>
  )
}

type TrialOf = Awaited<ReturnType<typeof admin.testModel>>

export const Trial = ({ model, question, text, took_ms, first_token_ms, spent }: TrialOf) => (
  <div className="card stack">
    <p className="quiet">{question}</p>
    <p>{text}</p>
    <p className="small quiet">
      {words.answeredIn(model, milliseconds(took_ms), milliseconds(first_token_ms))}{' '}
      {spent && <SpentOn spent={spent} />}
    </p>
  </div>
)

const currencies = ['USD', 'EUR', 'CHF', 'GBP', 'JPY', 'CNY']

// As the owner knows them: no list of prices is kept here that would be wrong next month.
const Prices = ({ model }: { model: Model | null }) => (
  <fieldset className="stack">
    <legend className="field-label">{words.priceOfAMillion}</legend>
    <div className="row two">
      {(['prompt', 'answer'] as const).map((side) => (
        <Field key={side} label={words.priceSides[side]}>
          <input
            className="input"
            name={side}
            type="number"
            min={0}
            max={1_000_000}
            step="any"
            inputMode="decimal"
            defaultValue={model?.prices?.[side]}
          />
        </Field>
      ))}
      <Field label={words.currency}>
        <select className="input" name="currency" defaultValue={model?.prices?.currency ?? words.usualCurrency}>
          {[...new Set([...currencies, model?.prices?.currency ?? 'USD'])].map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </Field>
    </div>
    <p className="hint">{words.aboutPrices}</p>
  </fieldset>
)
