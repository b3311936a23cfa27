// Scores, monograms, names to copy, empty states: the smallest parts of every page.
import { type ReactNode, useState } from 'react'
import type { Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'

export const levelOf = (score: number): 'high' | 'mid' | 'low' => (score >= 70 ? 'high' : score >= 40 ? 'mid' : 'low')

// Colour and figure say the same. "5 % unsure" would say the contrary.
export const Score = ({ value }: { value: number }) => (
  <span className={`score ${levelOf(value)}`}>
    <b>{Math.round(value)}</b>
    <span>% {words.sure}</span>
  </span>
)

// Pictures on other hosts are not fetched: the console speaks to nobody but its own service.
export function Monogram({
  persona,
  size,
}: {
  persona: Pick<Persona, 'name' | 'domain_name' | 'picture'>
  size?: string
}) {
  const hue = [...persona.domain_name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const style = { '--hue': hue, ...(size && { '--size': size }) } as React.CSSProperties
  return (
    <span className="monogram" style={style} aria-hidden="true">
      {persona.picture?.startsWith('data:image/') ? (
        <img src={persona.picture} alt="" />
      ) : (
        (persona.name.trim()[0] ?? '?').toUpperCase()
      )}
    </span>
  )
}

// Over plain http from another host a browser has no clipboard, but still knows the old command.
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button
      type="button"
      className="copy"
      onClick={copy}
      aria-label={`${words.copyThe(label)}: ${text}`}
      title={words.copyThe(label)}
    >
      {text}
      <Icon name={copied ? 'check' : 'copy'} size={14} />
      <span className="unseen" aria-live="polite">
        {copied ? words.copied : ''}
      </span>
    </button>
  )
}

export function CopyIcon({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button type="button" className="button plain icon tiny" aria-label={label} title={label} onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} size={16} />
      <span className="unseen" aria-live="polite">
        {copied ? words.copied : ''}
      </span>
    </button>
  )
}

export const Empty = ({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {actions && <div className="row">{actions}</div>}
  </div>
)

export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="stack" role="status" aria-label={words.loading}>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} className="skeleton" style={{ width: `${92 - ((index * 23) % 45)}%` }} />
    ))}
  </div>
)

export const Wrong = ({ error }: { error: unknown }) =>
  error ? (
    <p className="wrong" role="alert">
      {error instanceof Error ? error.message : String(error)}
    </p>
  ) : null

export const Bar = ({ percent, label }: { percent: number; label: string }) => (
  <div
    className="bar"
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
  >
    <i style={{ width: `${Math.max(2, percent)}%` }} />
  </div>
)

export const Older = ({ onClick }: { onClick: () => unknown }) => (
  <button type="button" className="button tiny" onClick={() => onClick()}>
    {words.older}
  </button>
)
