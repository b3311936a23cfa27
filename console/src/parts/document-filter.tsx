// How a long list of documents is searched, narrowed down and sorted.
import { useCallback, useState } from 'react'
import type { admin } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { useAfterPause } from './pause.ts'

export type Filter = {
  text?: string
  kind?: string
  state?: string
  sort?: string
  tag?: string
  source?: string
  since?: string
  until?: string
}

type Query = Omit<Parameters<typeof admin.listDocuments>[0], 'domain_name'>

const kinds: [string, string][] = [
  ['', words.everyKind],
  ['file', words.files],
  ['url', words.webPages],
  ['text', words.texts],
  ['collection', words.collections],
]
const states: [string, string][] = [
  ['', words.everyState],
  ['ready', words.ready],
  ['draft', words.drafts],
  ['reading', words.reading],
  ['waiting', words.waiting],
  ['failed', words.failed],
]
const orders: [string, string][] = [
  ['', words.newestFirst],
  ['oldest', words.oldestFirst],
  ['title', words.byTitle],
]

// A link may lead to the documents in one state.
function filterInAddress(): Filter {
  const state = new URLSearchParams(location.search).get('state')
  return state === null ? {} : { state }
}

// What is typed counts after a pause.
export function useFilter() {
  const [filter, setFilter] = useState(filterInAddress)
  const settled: Filter = JSON.parse(useAfterPause(JSON.stringify(filter)))
  const change = useCallback((more: Filter) => setFilter((before) => ({ ...before, ...more })), [])
  return { filter, settled, change }
}

export const isNarrowed = ({ sort: _, ...filter }: Filter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '')

// As the service takes it: days are whole, a draft is a state to the eye alone.
export const queryOf = ({ state = '', since = '', until = '', ...rest }: Filter): Query => ({
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
  ...(state === 'draft' ? { draft: true } : state !== '' && { state: state as NonNullable<Query['state']> }),
  ...(since !== '' && { since: `${since}T00:00:00Z` }),
  ...(until !== '' && { until: `${until}T23:59:59.999Z` }),
})

type FilterOf = { filter: Filter; onChange: (more: Filter) => void }

export function DocumentFilter({ filter, onChange }: FilterOf) {
  return (
    <search className="filter stack">
      <div className="filter-row">
        <div className="search">
          <Icon name="search" size={16} />
          <input
            className="input"
            type="search"
            aria-label={words.searchDocuments}
            placeholder={words.titleFileOrAddress}
            value={filter.text ?? ''}
            onChange={(event) => onChange({ text: event.target.value })}
          />
        </div>
        <Choice label={words.kind} options={kinds} value={filter.kind} onChange={(kind) => onChange({ kind })} />
        <Choice label={words.state} options={states} value={filter.state} onChange={(state) => onChange({ state })} />
        <Choice label={words.order} options={orders} value={filter.sort} onChange={(sort) => onChange({ sort })} />
      </div>
      <details className="small">
        <summary>{words.tagSourceAndTime}</summary>
        <Within filter={filter} onChange={onChange} />
      </details>
    </search>
  )
}

type ChoiceOf = {
  label: string
  options: [string, string][]
  value: string | undefined
  onChange: (value: string) => void
}

const Choice = ({ label, options, value = '', onChange }: ChoiceOf) => (
  <select className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    {options.map(([name, shown]) => (
      <option key={name} value={name}>
        {shown}
      </option>
    ))}
  </select>
)

export function Within({ filter, onChange }: FilterOf) {
  const input = (name: 'tag' | 'source' | 'since' | 'until', type: 'text' | 'date') => (
    <input
      className="input"
      type={type}
      value={filter[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  )
  return (
    <div className="filter-within">
      <Field label={words.tag}>{input('tag', 'text')}</Field>
      <Field label={words.sourceField}>{input('source', 'text')}</Field>
      <Field label={words.from}>{input('since', 'date')}</Field>
      <Field label={words.upTo}>{input('until', 'date')}</Field>
    </div>
  )
}
