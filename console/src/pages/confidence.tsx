// How far the persona's scores can be trusted, and what a threshold would withhold.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { admin, type ConfidenceFigures, type Persona, type Reply } from '../api/admin.ts'
import { useMay } from '../api/queries.ts'
import { May } from '../parts/may.tsx'
import { Area, Line, Plot, type Scale, ticksUpTo } from '../parts/plot.tsx'
import { Skeleton, Wrong } from '../parts/small.tsx'
import { count, dayOf, percent } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

const LATEST = 500

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
      <PageHead title={words.confidence}>{words.aboutConfidence}</PageHead>
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
          ? words.curvesAreYours(words.verdictsCounted(figures.labels), persona.name)
          : words.curvesAreShipped(persona.name, figures.labels)}{' '}
        {figures.calibrated_at && words.scoreWasFitted(dayOf(figures.calibrated_at))}{' '}
        {figures.is_outdated && words.scoreIsOutdated}
      </p>
      <div className="row">
        {figures.labels > 0 && isTheirs && (
          <button type="button" className="button tiny" onClick={() => mutate(false)} disabled={isPending}>
            {words.fitTheScore}
          </button>
        )}
        {figures.calibrated_at && isTheirs && (
          <button type="button" className="button plain tiny" onClick={() => mutate(true)} disabled={isPending}>
            {words.backToShippedScore}
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
      say(threshold === 0 ? words.nothingIsWithheldAnyMore : words.repliesBelowWait(threshold))
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
          <h2>{words.threshold}</h2>
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
            ? words.noRepliesYet
            : threshold === 0
              ? words.nothingIsWithheld(persona.name, words.repliesCounted(latest.length))
              : words.wouldBeWithheld(count(latest.length), count(withheld), percent((withheld / latest.length) * 100))}
          {risk !== undefined && ` ${riskWords(figures.basis, risk)}`}
        </p>
        <May right="manage">
          {threshold !== persona.threshold && (
            <button type="button" className="button plain" onClick={() => onChange(persona.threshold)}>
              {words.backTo(persona.threshold)}
            </button>
          )}
          <button
            type="button"
            className="button main"
            onClick={() => mutate()}
            disabled={isPending || threshold === persona.threshold}
          >
            {words.setThreshold}
          </button>
        </May>
      </div>
      <Wrong error={error} />
    </section>
  )
}

const riskWords = (basis: ConfidenceFigures['basis'], risk: number): string =>
  basis === 'own' ? words.riskOnYourVerdicts(percent(risk * 100)) : words.riskOnPublicQuestions(percent(risk * 100))

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
      title={words.isItAsRightAsItSays}
      about={words.aboutReliability}
      x={{ from: 0, to: 100, label: words.scoreAxis, ticks: hundred }}
      y={{ from: 0, to: 100, label: words.rightAxis, ticks: hundred, show: percent }}
      heads={[words.scoreAxis, words.rightAxis]}
      rows={points.map(({ x, y, count: amount }) => [percent(x), words.shareOf(percent(y), count(amount))])}
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
      title={words.whatDoesAnsweringMore}
      about={words.aboutRisk}
      x={{ from: 0, to: 100, label: words.answeredAxis, ticks: hundred, show: percent }}
      y={{ from: 0, to: ticks.at(-1)!, label: words.wrongAxis, ticks, show: percent }}
      heads={[words.answeredAxis, words.wrongAxis]}
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
