// What somebody may do, chosen: a role, and the personas it is for.
import { useState } from 'react'
import type { Person } from '../api/admin.ts'
import { usePersonas } from '../api/queries.ts'
import { words } from '../words/words.ts'
import { Field } from './field.tsx'

type Role = Person['role']

export const roleNames: Record<Role, string> = words.roles

export function RoleFields({ given }: { given?: Person }) {
  const { data: all = [] } = usePersonas()
  const [role, setRole] = useState<Role>(given?.role ?? 'reader')
  const [isAll, setAll] = useState(given ? given.personas === '*' : false)
  const isTheirs = (name: string) => given !== undefined && given.personas !== '*' && given.personas.includes(name)
  return (
    <>
      <Field label={words.role} hint={words.roleMeanings[role]}>
        <select className="input" name="role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {Object.entries(roleNames).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      {role !== 'administrator' && (
        <fieldset>
          <legend className="field-label">{words.personas}</legend>
          <div className="row">
            <label className="choice">
              <input type="checkbox" name="all" checked={isAll} onChange={(event) => setAll(event.target.checked)} />{' '}
              {words.allAlsoLaterOnes}
            </label>
            {!isAll &&
              all.map(({ domain_name: name, name: label }) => (
                <label key={name} className="choice">
                  <input type="checkbox" name="personas" value={name} defaultChecked={isTheirs(name)} /> {label}
                </label>
              ))}
          </div>
        </fieldset>
      )}
    </>
  )
}

export function roleFrom(form: FormData): { role: Role; personas: string[] | '*' } {
  const role = form.get('role') as Role
  const isAll = role === 'administrator' || form.has('all')
  return { role, personas: isAll ? '*' : form.getAll('personas').map(String) }
}
