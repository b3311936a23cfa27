// A backup of the whole service: taken along now, and those it makes by itself.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { admin, type Backups } from '../api/admin.ts'
import { takeBackup } from '../api/files.ts'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, momentOf, sizeOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'

const LEAST = 8

export function Backup() {
  const { data, error } = useQuery({ queryKey: ['backups'], queryFn: () => admin.backups({}), refetchInterval: 10_000 })
  useEffect(() => {
    document.title = 'Backup · Memoir'
  }, [])
  return (
    <div className="wide stack">
      <PageHead title="Backup">
        Everything in one file: personas, documents, memories, conversations, keys. The service goes on meanwhile.
      </PageHead>
      <TakeNow />
      <hr />
      <h2>Made by itself</h2>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={3} />}
      {data && <Scheduled {...data} />}
    </div>
  )
}

function TakeNow() {
  const say = useSay()
  const [passphrase, setPassphrase] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => takeBackup(passphrase),
    onSuccess: (bytes) => say(`Downloaded: ${sizeOf(bytes)}.`),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <Field
        label="Passphrase"
        hint="Encrypts the file. Without it nobody can read the file again, you included. Empty: as the settings say."
      >
        <input
          className="input"
          type="password"
          autoComplete="new-password"
          value={passphrase}
          minLength={LEAST}
          maxLength={1024}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      </Field>
      <Wrong error={error} />
      <div className="row">
        <button type="submit" className="button main" disabled={isPending}>
          <Icon name="down" /> {isPending ? 'Backing up…' : 'Download a backup'}
        </button>
        <span className="quiet small">
          <code>memoir restore FILE</code> brings it back.
        </span>
      </div>
    </form>
  )
}

function Scheduled({ schedule, files }: Backups) {
  if (!schedule)
    return (
      <Empty title="No schedule yet">
        Set <code>MEMOIR_BACKUP_DIR</code> to a folder, best on another disk, and the service backs itself up every day.
      </Empty>
    )
  return (
    <>
      <p className="quiet">
        Every {timeOf(schedule.every_s)}; the last {schedule.keep} are kept
        {schedule.is_encrypted ? ', encrypted' : ', not encrypted'}.{schedule.is_running && ' One is being made now.'}
      </p>
      {schedule.failure && <Wrong error={new Error(`The last one failed: ${schedule.failure}`)} />}
      <ul className="documents">
        {files.map(({ name, made_at, bytes }) => (
          <li key={name} className="document">
            <div className="document-main">
              <span className="document-title">{momentOf(made_at)}</span>
              <span className="quiet small">
                {agoOf(made_at)}, {sizeOf(bytes)}, <code>{name}</code>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

const units: [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

function timeOf(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds % size === 0) ?? units[2]!
  const amount = seconds / size
  return amount === 1 ? unit : `${amount} ${unit}s`
}
