// What forms are made of: a field with its label and what else is to be known about it, and how a form ends.
import { cloneElement, type ReactElement, type ReactNode, useId } from 'react'
import { words } from '../words/words.ts'
import { Wrong } from './small.tsx'

type FieldOf = {
  label: string
  hint?: ReactNode | undefined
  children: ReactElement<{ id?: string; 'aria-describedby'?: string }>
}

export function Field({ label, hint, children }: FieldOf) {
  const id = useId()
  const about = `${id}-about`
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {cloneElement(children, { id, ...(hint !== undefined && { 'aria-describedby': about }) })}
      {hint !== undefined && <small id={about}>{hint}</small>}
    </div>
  )
}

export const NewPassword = ({ label, hint }: { label: string; hint: string }) => (
  <Field label={label} hint={hint}>
    <input
      className="input"
      name="password"
      type="password"
      minLength={12}
      maxLength={256}
      autoComplete="new-password"
      required
    />
  </Field>
)

// How a form ends: what went wrong, the way back and the way on.
export const FormEnd = ({
  does,
  onBack,
  error,
  isOff,
  back = words.cancel,
  tone = 'main',
  isTiny = false,
}: {
  does: string
  onBack: () => void
  error: unknown
  isOff: boolean
  back?: string
  tone?: 'main' | 'danger'
  isTiny?: boolean
}) => (
  <>
    <Wrong error={error} />
    <div className="row end">
      <button type="button" className={`button ${isTiny ? 'tiny' : ''}`} onClick={onBack}>
        {back}
      </button>
      <button type="submit" className={`button ${tone} ${isTiny ? 'tiny' : ''}`} disabled={isOff}>
        {does}
      </button>
    </div>
  </>
)
