// How far the persona's scores can be trusted, and what a threshold would withhold.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { admin, type ConfidenceFigures, type Persona, type Reply } from '../api/admin.ts'
import { useMay } from '../api/queries.ts'
import { May } from '../parts/may.tsx'
import { Area, Line, Plot, type Scale, ticksUpTo } from '../parts/plot.tsx'
import { Skeleton, Wrong } from '../parts/small.tsx'
import { count, counted, dayOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'

const LATEST = 500
const percent = (value: number): string => `${Math.round(value)} %`

export function Confidence({ persona }: { persona: Persona }) {
  const domainName = persona.domain_name
  const [threshold, setThreshold] = useState(persona.threshold)
  const figures = useQuery({
    queryKey: [domainName, 'confidence'],
    queryFn: () => admin.confidence({ domain_name: domainName }),
  })
  const latest = useQuery({ queryKey: [domainName, 'replies', 'latest'], queryFn: () => latestReplies(domainName) })
  return (
    <div className="wide">
      <PageHead title="Confidence">
        A score is a promise: of replies at 80 %, eight in ten should be right. Here is how well it is kept.
      </PageHead>
      <Wrong error={figures.error ?? latest.error} />
      {(!figures.data || !latest.data) && !figures.error && !latest.error && <Skeleton lines={8} />}
      {figures.data && latest.data && (
        <>
          <Threshold
            persona={persona}
            threshold={threshold}
            onChange={setThreshold}
            figures={figures.data}
            latest={latest.data}
          />
          <Basis persona={persona} figures={figures.data} />
          <div className="plots">
            <Reliability figures={figures.data} />
            <RiskCoverage figures={figures.data} threshold={threshold} />
          </div>
        </>
      )}
    </div>
  )
}

function Basis({ persona, figures }: { persona: Persona; figures: ConfidenceFigures }) {
  const isTheirs = useMay('manage')
  const queries = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (reset: boolean) => admin.calibratePersona({ domain_name: persona.domain_name, reset }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [persona.domain_name, 'confidence'] }),
  })
  return (
    <div className="basis stack">
      <p>
        {figures.basis === 'own'
          ? `These curves come from your own ${counted(figures.labels, 'verdict')} on ${persona.name}’s replies.`
          : `These curves come with Memoir. With more verdicts on ${persona.name}’s replies ` +
            `(“Was it right?” beside each; ${figures.labels} so far) they become its own.`}
        {figures.calibrated_at && ` The score was fitted to your verdicts on ${dayOf(figures.calibrated_at)}.`}
      </p>
      <div className="row">
        {figures.labels > 0 && isTheirs && (
          <button type="button" className="button tiny" onClick={() => mutate(false)} disabled={isPending}>
            Fit the score to my verdicts
          </button>
        )}
        {figures.calibrated_at && isTheirs && (
          <button type="button" className="button plain tiny" onClick={() => mutate(true)} disabled={isPending}>
            Back to the shipped score
          </button>
        )}
        {data && <span role="status">{data.note}</span>}
      </div>
      <Wrong error={error} />
    </div>
  )
}

async function latestReplies(domainName: string): Promise<Reply[]> {
  const found: Reply[] = []
  let before: string | undefined
  while (found.length < LATEST) {
    const page = await admin.listReplies({
      domain_name: domainName,
      limit: Math.min(200, LATEST - found.length),
      before,
    })
    found.push(...page.replies)
    if (page.next === null) break
    before = page.next
  }
  return found
}

type ThresholdOf = {
  persona: Persona
  threshold: number
  onChange: (threshold: number) => void
  figures: ConfidenceFigures
  latest: Reply[]
}

function Threshold({ persona, threshold, onChange, figures, latest }: ThresholdOf) {
  const id = useId()
  const say = useSay()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => admin.changePersona({ domain_name: persona.domain_name, threshold }),
    onSuccess: () => {
      say(threshold === 0 ? 'Nothing is withheld any more.' : `Replies below ${threshold} % wait for you from now on.`)
      queries.invalidateQueries({ queryKey: [persona.domain_name, 'persona'] })
      queries.invalidateQueries({ queryKey: ['personas'] })
    },
  })
  const withheld = latest.filter((reply) => reply.score < threshold).length
  const risk = riskAt(figures, threshold)
  return (
    <section className="card threshold">
      <div className="threshold-head">
        <label htmlFor={id}>
          <h2>Threshold</h2>
        </label>
        <output htmlFor={id} className="threshold-figure">
          {threshold}
          <span> %</span>
        </output>
      </div>
      <Scores latest={latest} threshold={threshold} />
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={1}
        value={threshold}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <div className="row apart">
        <p aria-live="polite">
          {latest.length === 0
            ? 'No replies yet: talk to it, and its scores will show here.'
            : threshold === 0
              ? `Nothing is withheld. ${persona.name} has given ${counted(latest.length, 'reply', 'replies')} lately.`
              : `Of the last ${count(latest.length)} replies, ${count(withheld)} (${percent((withheld / latest.length) * 100)}) would have been withheld.`}
          {risk !== undefined && ` ${riskWords(figures.basis, risk)}`}
        </p>
        <May right="manage">
          {threshold !== persona.threshold && (
            <button type="button" className="button plain" onClick={() => onChange(persona.threshold)}>
              Back to {persona.threshold} %
            </button>
          )}
          <button
            type="button"
            className="button main"
            onClick={() => mutate()}
            disabled={isPending || threshold === persona.threshold}
          >
            Set threshold
          </button>
        </May>
      </div>
      <Wrong error={error} />
    </section>
  )
}

const riskWords = (basis: ConfidenceFigures['basis'], risk: number): string =>
  basis === 'own'
    ? `About ${percent(risk * 100)} of those let through would be wrong.`
    : `On the public questions Memoir was measured with, ${percent(risk * 100)} of those let through were wrong.`

// The risk of what is let through from this score on.
function riskAt({ risk_coverage: curve }: ConfidenceFigures, threshold: number): number | undefined {
  const above = curve.filter((point) => point.score >= threshold).sort((a, b) => a.score - b.score)
  return above[0]?.risk
}

const BINS = 25

// The latest scores as a row of bars right above the slider: what stands left of the handle would be withheld.
function Scores({ latest, threshold }: { latest: Reply[]; threshold: number }) {
  const bins = Array.from({ length: BINS }, () => 0)
  for (const { score } of latest) bins[Math.min(BINS - 1, Math.floor((score / 100) * BINS))]! += 1
  const most = Math.max(...bins, 1)
  return (
    <div className="score-bars" aria-hidden="true">
      {bins.map((amount, at) => (
        <i
          key={at}
          className={((at + 0.5) / BINS) * 100 < threshold ? 'withheld' : ''}
          style={{ height: amount === 0 ? '2px' : `${Math.max(6, (amount / most) * 100)}%` }}
        />
      ))}
    </div>
  )
}

const hundred = [0, 20, 40, 60, 80, 100]

function Reliability({ figures: { reliability } }: { figures: ConfidenceFigures }) {
  const points = reliability
    .filter((bin) => bin.count > 0)
    .map((bin) => ({ x: bin.said, y: bin.right, count: bin.count }))
  const most = Math.max(...points.map((point) => point.count), 1)
  return (
    <Plot
      title="Is it as right as it says?"
      about="On the dotted line, scores are kept exactly. Above it, the persona is better than it says; below, worse. Larger dots stand for more replies."
      x={{ from: 0, to: 100, label: 'score', ticks: hundred }}
      y={{ from: 0, to: 100, label: 'right', ticks: hundred, show: percent }}
      heads={['score', 'right']}
      rows={points.map(({ x, y, count: amount }) => [percent(x), `${percent(y)} of ${count(amount)}`])}
    >
      {(scale: Scale) => (
        <>
          <Line
            className="ideal"
            scale={scale}
            points={[
              { x: 0, y: 0 },
              { x: 100, y: 100 },
            ]}
          />
          <Line scale={scale} points={points} />
          {points.map((point) => (
            <circle
              key={point.x}
              className="dot"
              cx={scale.x(point.x)}
              cy={scale.y(point.y)}
              r={3 + 5 * Math.sqrt(point.count / most)}
            />
          ))}
        </>
      )}
    </Plot>
  )
}

function RiskCoverage({
  figures: { risk_coverage: curve },
  threshold,
}: {
  figures: ConfidenceFigures
  threshold: number
}) {
  const points = curve
    .map((point) => ({ x: point.coverage * 100, y: point.risk * 100, score: point.score }))
    .sort((a, b) => a.x - b.x)
  const here = points.filter((point) => point.score >= threshold).sort((a, b) => a.score - b.score)[0]
  const ticks = ticksUpTo(Math.max(...points.map((point) => point.y), 4))
  return (
    <Plot
      title="What does answering more cost?"
      about="Further right, more questions are answered; higher, more of those answers are wrong. The ring is where the threshold stands."
      x={{ from: 0, to: 100, label: 'answered', ticks: hundred, show: percent }}
      y={{ from: 0, to: ticks.at(-1)!, label: 'wrong', ticks, show: percent }}
      heads={['answered', 'wrong']}
      rows={points
        .filter((_, at) => at % Math.ceil(points.length / 12) === 0)
        .map(({ x, y }) => [percent(x), percent(y)])}
    >
      {(scale: Scale) => (
        <>
          <Area scale={scale} points={points} />
          <Line scale={scale} points={points} />
          {here && <circle className="ring" cx={scale.x(here.x)} cy={scale.y(here.y)} r={8} />}
        </>
      )}
    </Plot>
  )
}
