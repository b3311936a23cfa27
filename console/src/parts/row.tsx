// One line of a list: what it is, what else is to be known about it, and what can be done with it.
import type { ReactNode } from 'react'
import { Wrong } from './small.tsx'

type RowOf = {
  title: ReactNode
  about: ReactNode
  error?: unknown
  before?: ReactNode // a picture of it
  children?: ReactNode // more below the two lines
  actions?: ReactNode
}

export const Row = ({ title, about, error, before, children, actions }: RowOf) => (
  <li className="document">
    {before}
    <div className="document-main">
      <span className="document-title">{title}</span>
      <span className="quiet small">{about}</span>
      {children}
      <Wrong error={error} />
    </div>
    {actions && <div className="row document-side">{actions}</div>}
  </li>
)

// `label` says what it is done to: of a list every line has the same button.
type RowButtonOf = { label: string; onClick: () => void; children: string; isOff?: boolean; isGrave?: boolean }

export const RowButton = ({ label, onClick, children, isOff = false, isGrave = false }: RowButtonOf) => (
  <button
    type="button"
    className={`button tiny ${isGrave ? 'danger' : ''}`}
    aria-label={label}
    disabled={isOff}
    onClick={onClick}
  >
    {children}
  </button>
)
