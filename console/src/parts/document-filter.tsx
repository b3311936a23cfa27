// How a long list of documents is searched, narrowed down and sorted.
import { useState } from 'react'
import type { admin } from '../api/admin.ts'
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
  ['', 'Every kind'],
  ['file', 'Files'],
  ['url', 'Web pages'],
  ['text', 'Texts'],
]
const states: [string, string][] = [
  ['', 'Every state'],
  ['ready', 'Ready'],
  ['draft', 'Drafts'],
  ['reading', 'Reading'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
]
const orders: [string, string][] = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['title', 'By title'],
]

// What is typed counts after a pause.
export function useFilter() {
  const [filter, setFilter] = useState<Filter>({})
  const settled: Filter = JSON.parse(useAfterPause(JSON.stringify(filter)))
  return { filter, settled, change: (more: Filter) => setFilter((before) => ({ ...before, ...more })) }
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
            aria-label="Search documents"
            placeholder="Title, file or address"
            value={filter.text ?? ''}
            onChange={(event) => onChange({ text: event.target.value })}
          />
        </div>
        <Choice label="Kind" options={kinds} value={filter.kind} onChange={(kind) => onChange({ kind })} />
        <Choice label="State" options={states} value={filter.state} onChange={(state) => onChange({ state })} />
        <Choice label="Order" options={orders} value={filter.sort} onChange={(sort) => onChange({ sort })} />
      </div>
      <details className="small">
        <summary>Tag, source and time</summary>
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
    {options.map(([name, words]) => (
      <option key={name} value={name}>
        {words}
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
      <Field label="Tag">{input('tag', 'text')}</Field>
      <Field label="Source">{input('source', 'text')}</Field>
      <Field label="From">{input('since', 'date')}</Field>
      <Field label="Up to">{input('until', 'date')}</Field>
    </div>
  )
}
