// What somebody may do, chosen: a role, and the personas it is for.
import { useState } from 'react'
import type { Person } from '../api/admin.ts'
import { usePersonas } from '../api/queries.ts'
import { Field } from './field.tsx'

type Role = Person['role']

export const roleNames: Record<Role, string> = {
  reader: 'Reader',
  reviewer: 'Reviewer',
  owner: 'Owner',
  administrator: 'Administrator',
}

const meanings: Record<Role, string> = {
  reader: 'Talks to the personas, and looks at what they know.',
  reviewer: 'Settles drafts and judges replies, too.',
  owner: 'Teaches and changes the personas, and makes keys for them, too.',
  administrator: 'Everything: all personas, people, backups.',
}

export function RoleFields({ given }: { given?: Person }) {
  const { data: all = [] } = usePersonas()
  const [role, setRole] = useState<Role>(given?.role ?? 'reader')
  const [isAll, setAll] = useState(given ? given.personas === '*' : false)
  const isTheirs = (name: string) => given !== undefined && given.personas !== '*' && given.personas.includes(name)
  return (
    <>
      <Field label="Role" hint={meanings[role]}>
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
          <legend className="field-label">Personas</legend>
          <div className="row">
            <label className="choice">
              <input type="checkbox" name="all" checked={isAll} onChange={(event) => setAll(event.target.checked)} />{' '}
              All, also later ones
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
