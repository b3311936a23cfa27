// Chat models that run in the same service: fetched, tried, removed.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect } from 'react'
import { admin, type LocalModel } from '../api/admin.ts'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Trial } from '../parts/model-settings.tsx'
import { Row, RowButton } from '../parts/row.tsx'
import { Bar, Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { count, sizeOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function Models() {
  const { data, error } = useQuery({
    queryKey: ['models'],
    queryFn: () => admin.listModels({}),
    refetchInterval: 2_000,
  })
  useEffect(() => {
    document.title = `${words.models} · Memoir`
  }, [])
  return (
    <div className="wide stack">
      <PageHead title={words.models}>{words.aboutModels}</PageHead>
      {data?.missing && <p className="card small">{data.missing}</p>}
      <GetModel />
      <hr />
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={3} />}
      {data?.models.length === 0 && <Empty title={words.noModelsYet}>{words.putModelInto(data.folder)}</Empty>}
      <ul className="documents">
        {data?.models.map((model) => (
          <ModelRow key={model.name} model={model} />
        ))}
      </ul>
    </div>
  )
}

function GetModel() {
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: admin.getModel,
    onSuccess: ({ name }) => {
      say(words.isBeingFetched(name))
      queries.invalidateQueries({ queryKey: ['models'] })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name)).trim()
    mutate({ from: text('from'), sha256: text('sha256') || undefined })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <Field label={words.getAModel} hint={words.whereModelsComeFrom}>
        <input className="input" name="from" required spellCheck={false} placeholder="https://…/model.gguf" />
      </Field>
      <Field label={words.itsHash} hint={words.hashIfKnown}>
        <input className="input" name="sha256" pattern="[0-9a-fA-F]{64}" spellCheck={false} />
      </Field>
      <Wrong error={error} />
      <div className="row">
        <button type="submit" className="button main" disabled={isPending}>
          <Icon name="down" /> {words.getIt}
        </button>
      </div>
    </form>
  )
}

function ModelRow({ model }: { model: LocalModel }) {
  const { name, state, bytes, total_bytes: total, context_tokens: tokens, wrong } = model
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => admin.removeModel({ id: name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['models'] }),
  })
  const trial = useMutation({ mutationFn: () => admin.tryModel({ id: name }) })
  const soFar = state === 'fetching' && total ? words.soMuchOf(sizeOf(bytes), sizeOf(total)) : sizeOf(bytes)
  return (
    <Row
      title={name}
      about={tokens ? `${soFar}, ${words.tokensAtOnce(count(tokens))}` : soFar}
      error={remove.error ?? trial.error}
      actions={
        <>
          {state === 'ready' && (
            <RowButton label={words.tryModel(name)} isOff={trial.isPending} onClick={() => trial.mutate()}>
              {trial.isPending ? words.asking : words.tryIt}
            </RowButton>
          )}
          <RowButton
            label={state === 'fetching' ? words.stopFetchingModel(name) : words.removeModel(name)}
            isOff={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {state === 'fetching' ? words.stopFetching : words.removeIt}
          </RowButton>
        </>
      }
    >
      {state === 'fetching' && total && <Bar percent={(100 * bytes) / total} label={words.isBeingFetched(name)} />}
      {wrong && <Wrong error={new Error(wrong)} />}
      {trial.data && <Trial {...trial.data} />}
    </Row>
  )
}
