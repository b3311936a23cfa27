// How somebody is told of what waits: chosen, tried out, turned off.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin } from '../api/admin.ts'
import { language } from '../words/language.ts'
import { words } from '../words/words.ts'
import { DevicesTold } from './devices-told.tsx'
import { Skeleton, Wrong } from './small.tsx'
import { useSay } from './toast.tsx'

const KEY = ['notices']

export function Notices() {
  const queries = useQueryClient()
  const say = useSay()
  const { data, error } = useQuery({ queryKey: KEY, queryFn: () => admin.notices({}) })
  const change = useMutation({
    mutationFn: (chosen: { drafts?: boolean; digest?: boolean }) =>
      admin.changeNotices({ ...chosen, language, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    onSuccess: (changed) => {
      queries.setQueryData(KEY, changed)
      say(words.saved)
    },
  })
  const test = useMutation({
    mutationFn: () => admin.testNotices({}),
    onSuccess: () => say(words.noticeIsOnItsWay),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  const { mail } = data ?? {}
  return (
    <section className="stack">
      <h2>{words.beingTold}</h2>
      <p className="quiet">{words.aboutBeingTold}</p>
      <Wrong error={error ?? change.error ?? test.error} />
      {!data && !error && <Skeleton lines={3} />}
      {mail && !mail.is_possible && <p className="card">{words.noMailServer}</p>}
      {mail?.is_possible && (
        <>
          <Choice
            label={words.mailOfDrafts}
            isChosen={mail.drafts}
            onChange={(drafts) => change.mutate({ drafts })}
            isDisabled={change.isPending}
          />
          <Choice
            label={words.mailEachMorning}
            isChosen={mail.digest}
            onChange={(digest) => change.mutate({ digest })}
            isDisabled={change.isPending}
          />
        </>
      )}
      {mail?.trouble && <Wrong error={new Error(words.lastMailFailed(mail.trouble))} />}
      {data && <DevicesTold publicKey={data.push.public_key} devices={data.push.devices} />}
      {data && (data.mail.drafts || data.mail.digest || data.push.devices.length > 0) && (
        <div>
          <button type="button" className="button" onClick={() => test.mutate()} disabled={test.isPending}>
            {words.sendMeATest}
          </button>
        </div>
      )}
    </section>
  )
}

type ChoiceOf = { label: string; isChosen: boolean; onChange: (isChosen: boolean) => void; isDisabled: boolean }

const Choice = ({ label, isChosen, onChange, isDisabled }: ChoiceOf) => (
  <label className="choice">
    <input
      type="checkbox"
      checked={isChosen}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.checked)}
    />{' '}
    {label}
  </label>
)
