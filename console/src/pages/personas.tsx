// All personas as cards, and a new one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { admin, type Persona } from '../api/admin.ts'
import { bringPersona } from '../api/files.ts'
import { usePersonas } from '../api/queries.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { May } from '../parts/may.tsx'
import { domainNameFrom } from '../parts/persona-fields.tsx'
import { Copy, Empty, Monogram, Skeleton, Wrong } from '../parts/small.tsx'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function Personas() {
  const { data: personas, error } = usePersonas()
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    document.title = `${words.personas} · Memoir`
  }, [])
  const create = (
    <May right="administer">
      <Import />
      <button type="button" className="button main" onClick={() => setNew(true)}>
        <Icon name="plus" /> {words.newPersona}
      </button>
    </May>
  )
  return (
    <div className="wide">
      <PageHead title={words.personas} actions={create}>
        {words.aboutPersonas}
      </PageHead>
      <Wrong error={error} />
      {!personas && !error && <Skeleton lines={5} />}
      {personas?.length === 0 && (
        <Empty title={words.nobodyHereYet} actions={create}>
          {words.makeAPersona}
        </Empty>
      )}
      <ul className="cards">
        {personas?.map((persona) => (
          <li key={persona.domain_name}>
            <PersonaCard persona={persona} />
          </li>
        ))}
      </ul>
      {isNew && <NewPersona onClose={() => setNew(false)} />}
    </div>
  )
}

// From a file that the settings of a persona, here or elsewhere, gave out.
function Import() {
  const queries = useQueryClient()
  const say = useSay()
  const [, go] = useLocation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: bringPersona,
    onSuccess: ({ domain_name, is_new, added }) => {
      const lines = Object.values(added).reduce((sum, one) => sum + one, 0)
      say(is_new ? words.imported : lines === 0 ? words.importedNothingNew : words.importedWhatWasNew)
      queries.invalidateQueries({ queryKey: ['personas'] })
      queries.invalidateQueries({ queryKey: [domain_name] })
      go(`/p/${domain_name}/talk`)
    },
  })
  return (
    <>
      <Wrong error={error} />
      <label className="button">
        <Icon name="up" /> {isPending ? words.importing : words.import}
        <input
          className="unseen"
          type="file"
          accept=".zip,application/zip"
          disabled={isPending}
          onChange={(event) => event.target.files?.[0] && mutate(event.target.files[0])}
        />
      </label>
    </>
  )
}

const PersonaCard = ({ persona }: { persona: Persona }) => (
  <article className="card persona-card">
    <div className="row persona-card-head">
      <Monogram persona={persona} size="3.4rem" />
      <div className="persona-card-name">
        <h2>
          <Link href={`/p/${persona.domain_name}/talk`}>{persona.name}</Link>
        </h2>
        <Copy text={persona.domain_name} label="DomainName" />
      </div>
    </div>
    <p className="persona-card-voice">{persona.instructions || words.noInstructionsYet}</p>
    <p className="quiet small">
      {persona.threshold > 0 ? words.withholdsBelow(persona.threshold) : words.withholdsNothing}
    </p>
  </article>
)

function NewPersona({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [given, setGiven] = useState<string>()
  const { mutate, error, isPending } = useMutation({
    mutationFn: admin.createPersona,
    onSuccess: async (persona) => {
      await queries.invalidateQueries({ queryKey: ['personas'] })
      go(`/p/${persona.domain_name}/documents`)
    },
  })
  const domainName = given ?? domainNameFrom(name)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const instructions = String(new FormData(event.currentTarget).get('instructions'))
    mutate({ domain_name: domainName, name: name.trim(), instructions })
  }
  return (
    <Dialog title={words.newPersona} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.name}>
          <input
            className="input"
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={256}
            required
          />
        </Field>
        <Field label="DomainName" hint={words.howProgramsCallIt}>
          <input
            className="input"
            value={domainName}
            onChange={(event) => setGiven(event.target.value)}
            pattern="[A-Za-z0-9.\-]+"
            maxLength={63}
            spellCheck={false}
            required
          />
        </Field>
        <Field label={words.voice} hint={words.voiceIsOptional}>
          <textarea className="input serif" name="instructions" maxLength={20_000} placeholder={words.youAreAda} />
        </Field>
        <FormEnd does={words.create} onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}
