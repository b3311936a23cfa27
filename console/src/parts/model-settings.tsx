// The chat model a persona writes with, if it has one of its own.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { admin, type Persona } from '../api/admin.ts'
import { Field } from './field.tsx'
import { Wrong } from './small.tsx'
import { count } from './times.ts'
import { useSay } from './toast.tsx'

type Model = NonNullable<Persona['model']>
type Given = NonNullable<Parameters<typeof admin.changePersona>[0]['model']>

const providers: [Model['provider'], string][] = [
  ['openai-compatible', 'A server of yours (Ollama, vLLM, llama.cpp, LM Studio)'],
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
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
      say(now ? `${persona.name} writes with ${now.name} now.` : `${persona.name} has no chat model of its own.`)
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
    return { provider, name: text('name'), url: text('url') || null, key: text('key') || undefined }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(given())
  }
  return (
    <section className="stack narrow">
      <h2>Chat model</h2>
      <p className="quiet">
        {persona.name} answers from memory by itself. With a chat model it says so in its own voice; what memory does
        not support scores low all the same.
      </p>
      <form className="stack" ref={form} onSubmit={submit}>
        <Field label="Served by">
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
          <Field label="Model">
            <input
              className="input"
              name="name"
              defaultValue={model?.name}
              maxLength={256}
              required
              spellCheck={false}
            />
          </Field>
          <Field label="Address" hint={provider === 'openai-compatible' ? undefined : 'Empty: the vendor’s own.'}>
            <input
              className="input"
              name="url"
              type="url"
              defaultValue={model?.url ?? ''}
              required={provider === 'openai-compatible'}
              placeholder="http://127.0.0.1:11434/v1"
            />
          </Field>
        </div>
        <Field label="Its key" hint={model?.has_key ? 'One is kept; empty leaves it as it is.' : 'If it asks for one.'}>
          <input className="input" name="key" type="password" autoComplete="off" />
        </Field>
        <Wrong error={error} />
        <div className="row">
          <button type="submit" className="button" disabled={isPending}>
            {model ? 'Change the model' : 'Use this model'}
          </button>
          <button
            type="button"
            className="button"
            onClick={() => form.current!.reportValidity() && trial.mutate(given())}
            disabled={trial.isPending}
          >
            {trial.isPending ? 'Asking…' : 'Test the connection'}
          </button>
          {model && (
            <button type="button" className="button plain" onClick={() => mutate(null)} disabled={isPending}>
              Do without
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

const Trial = ({ model, question, text, took_ms, first_token_ms }: TrialOf) => (
  <div className="card stack">
    <p className="quiet">{question}</p>
    <p>{text}</p>
    <p className="small quiet">
      {model} answered in {count(took_ms)} ms; it began after {count(first_token_ms)} ms.
    </p>
  </div>
)
