// A backup of the whole service: taken along now, and those it makes by itself.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { admin, type Backups } from '../api/admin.ts'
import { takeBackup } from '../api/files.ts'
import { Field } from '../parts/field.tsx'
import { Filled } from '../parts/filled.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, momentOf, sizeOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

const LEAST = 8

export function Backup() {
  const { data, error } = useQuery({ queryKey: ['backups'], queryFn: () => admin.backups({}), refetchInterval: 10_000 })
  useEffect(() => {
    document.title = `${words.backup} · Memoir`
  }, [])
  return (
    <div className="wide stack">
      <PageHead title={words.backup}>{words.aboutBackup}</PageHead>
      {data && <p className="quiet">{words.encryptionAtRest[data.encryption]}</p>}
      <TakeNow />
      <hr />
      <h2>{words.madeByItself}</h2>
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
    onSuccess: (bytes) => say(words.downloaded(sizeOf(bytes))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <Field label={words.passphrase} hint={words.aboutPassphrase}>
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
          <Icon name="down" /> {isPending ? words.backingUp : words.downloadABackup}
        </button>
        <span className="quiet small">
          <Filled text={words.bringsItBack}>
            <code>memoir restore FILE</code>
          </Filled>
        </span>
      </div>
    </form>
  )
}

function Scheduled({ schedule, files }: Backups) {
  if (!schedule)
    return (
      <Empty title={words.noScheduleYet}>
        <Filled text={words.setBackupFolder}>
          <code>MEMOIR_BACKUP_DIR</code>
        </Filled>
      </Empty>
    )
  return (
    <>
      <p className="quiet">
        {words.lastAreKept(everyOf(schedule.every_s), schedule.keep, schedule.is_encrypted)}{' '}
        {schedule.is_running && words.oneIsBeingMade}
      </p>
      {schedule.failure && <Wrong error={new Error(words.theLastOneFailed(schedule.failure))} />}
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

const units: [(amount: number) => string, number][] = [
  [words.everyDays, 86_400],
  [words.everyHours, 3_600],
  [words.everyMinutes, 60],
]

function everyOf(seconds: number): string {
  const [every, size] = units.find(([, size]) => seconds % size === 0) ?? units[2]!
  return every(seconds / size)
}
