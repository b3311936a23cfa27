// What people ask and what they get, day by day, and what they asked that nobody had taught.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { admin, type Gap, type Persona } from '../api/admin.ts'
import { remember } from '../api/service.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, FormEnd } from '../parts/field.tsx'
import { May } from '../parts/may.tsx'
import { OverTime } from '../parts/over-time.tsx'
import { Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export const Figures = ({ persona }: { persona: Persona }) => (
  <div className="wide">
    <PageHead title={words.figures}>{words.aboutFigures(persona.name)}</PageHead>
    <Gaps persona={persona} />
    <OverTime domainName={persona.domain_name} />
  </div>
)

function Gaps({ persona }: { persona: Persona }) {
  const [chosen, setChosen] = useState<Gap>()
  const [taught, setTaught] = useState<ReadonlySet<string>>(new Set()) // it is still being learned
  const { data, error } = useQuery({
    queryKey: [persona.domain_name, 'replies', 'gaps'],
    queryFn: () => admin.gaps({ domain_name: persona.domain_name, days: 30 }),
  })
  const gaps = data?.gaps.filter((gap) => !taught.has(gap.question))
  return (
    <section className="stack gaps">
      <h2>{words.askedAndNotKnown}</h2>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={4} />}
      {gaps?.length === 0 && <Empty title={words.nothingAskedInVain}>{words.aboutGaps(persona.name)}</Empty>}
      <ol className="documents">
        {gaps?.slice(0, 30).map((gap) => (
          <li key={gap.question} className="document">
            <div className="document-main">
              <span className="document-title">{gap.question}</span>
              <span className="quiet small">{words.askedTimes(gap.times, agoOf(gap.last_at))}</span>
              {gap.others.length > 0 && <span className="quiet small">{words.also(gap.others.join(' · '))}</span>}
            </div>
            <May right="manage">
              <button type="button" className="button tiny" onClick={() => setChosen(gap)}>
                {words.teachIt}
              </button>
            </May>
          </li>
        ))}
      </ol>
      {chosen && (
        <TeachIt
          persona={persona}
          gap={chosen}
          onTaught={() => setTaught(new Set([...taught, chosen.question]))}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  )
}

type TeachItOf = { persona: Persona; gap: Gap; onTaught: () => void; onClose: () => void }

function TeachIt({ persona, gap, onTaught, onClose }: TeachItOf) {
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (answer: string) => remember(persona.domain_name, `${gap.question}\n${answer}`, '', ''),
    onSuccess: () => {
      say(words.knowsItNow(persona.name))
      onTaught()
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('answer')).trim())
  }
  return (
    <Dialog title={gap.question} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.theAnswer} hint={words.questionAndAnswerBecome}>
          <textarea className="input serif" name="answer" required />
        </Field>
        <FormEnd does={words.teach} onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}
