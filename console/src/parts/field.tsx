// A field with its label, and what else is to be known about it.
import { cloneElement, type ReactElement, type ReactNode, useId } from 'react'

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
