// What is wrong with a model, where it matters: its persona answers from memory alone meanwhile.
import { useMutation, useQuery } from '@tanstack/react-query'
import { admin } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Wrong } from './small.tsx'
import { count, decimals, milliseconds } from './times.ts'

const LOOK_MS = 15_000

const useModelState = (domainName: string) =>
  useQuery({
    queryKey: [domainName, 'model'],
    queryFn: () => admin.modelState({ domain_name: domainName }),
    refetchInterval: LOOK_MS,
  })

export function ModelTrouble({ domainName }: { domainName: string }) {
  const { data } = useModelState(domainName)
  if (!data?.chat?.trouble) return null
  return (
    <p className="withheld-note" role="status">
      {words.modelIsDown} <span className="small">{data.chat.trouble}</span>
    </p>
  )
}

export function EmbedderSettings({ domainName }: { domainName: string }) {
  const { data } = useModelState(domainName)
  const trial = useMutation({ mutationFn: () => admin.testEmbedder({}) })
  return (
    <section className="stack narrow">
      <h2>{words.embeddingModel}</h2>
      <p className="quiet">{words.aboutEmbedding(data?.embedder ?? '…')}</p>
      {data && data.to_embed > 0 && <p role="status">{words.embeddingAnew(data.to_embed)}</p>}
      <div className="row">
        <button type="button" className="button" onClick={() => trial.mutate()} disabled={trial.isPending}>
          {trial.isPending ? words.asking : words.testEmbedding}
        </button>
      </div>
      <div aria-live="polite" className="stack">
        <Wrong error={trial.error} />
        {trial.data && (
          <div className="card stack">
            <p>{words.embeddedIn(trial.data.model, count(trial.data.dimensions), milliseconds(trial.data.took_ms))}</p>
            <p className="small quiet">
              {words.tellsApart(decimals(trial.data.alike, 2), decimals(trial.data.unlike, 2))}{' '}
              {trial.data.tokens !== null && words.tokensCounted(trial.data.tokens)}
            </p>
          </div>
        )}
      </div>
    </section>
  )
}
