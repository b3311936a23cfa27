// Messages, scores, time to answer and what was withheld, day by day.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { admin, type Day } from '../api/admin.ts'
import { locale, words } from '../words/words.ts'
import { Bars, Line, Plot, type Scale, ticksUpTo } from './plot.tsx'
import { Skeleton, Wrong } from './small.tsx'
import { count, milliseconds, money, percent } from './times.ts'

const spans = [14, 30, 90]
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function OverTime({ domainName }: { domainName: string }) {
  const [days, setDays] = useState(30)
  const { data, error } = useQuery({
    queryKey: [domainName, 'statistics', days],
    queryFn: () => admin.statistics({ domain_name: domainName, days }),
    placeholderData: (before) => before,
  })
  return (
    <section className="stack over-time">
      <div className="row apart">
        <h2>{words.overTime}</h2>
        <fieldset className="row">
          <legend className="unseen">{words.howFarBack}</legend>
          {spans.map((span) => (
            <label key={span} className="choice small">
              <input type="radio" name="span" checked={days === span} onChange={() => setDays(span)} />{' '}
              {words.daysCounted(span)}
            </label>
          ))}
        </fieldset>
      </div>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={4} />}
      {data && (
        <div className="plots">
          <DayPlot
            days={data.days}
            title={words.messages}
            about={words.questionsADay}
            value={(day) => day.replies}
            show={count}
            isAmount
          />
          <DayPlot
            days={data.days}
            title={words.answered}
            about={words.repliesSentADay}
            value={(day) => day.answered}
            show={count}
            isAmount
          />
          <DayPlot
            days={data.days}
            title={words.scores}
            about={words.middleScore}
            value={(day) => day.score}
            show={percent}
            most={100}
          />
          <DayPlot
            days={data.days}
            title={words.timeToAnswer}
            about={words.halfTookAtMost}
            value={(day) => day.took_ms}
            show={milliseconds}
          />
          <DayPlot
            days={data.days}
            title={words.theSlowest}
            about={words.mostTookAtMost}
            value={(day) => day.slow_ms}
            show={milliseconds}
          />
          <DayPlot
            days={data.days}
            title={words.approved}
            about={words.repliesJudgedRight}
            value={(day) => day.approved}
            show={count}
            isAmount
          />
          <DayPlot
            days={data.days}
            title={words.withheld}
            about={words.repliesBelowTheThreshold}
            value={(day) => day.withheld}
            show={count}
            isAmount
          />
          {data.days.some((day) => day.spent) && <Spending days={data.days} />}
        </div>
      )}
    </section>
  )
}

function Spending({ days }: { days: Day[] }) {
  const currency = days.findLast((day) => day.spent?.currency)?.spent?.currency
  const costOf = ({ spent }: Day) => (spent?.currency === currency ? (spent?.cost ?? 0) : 0)
  const total = days.reduce((sum, day) => sum + costOf(day), 0)
  return (
    <>
      <DayPlot
        days={days}
        title={words.tokens}
        about={words.tokensADay}
        value={({ spent }) => (spent ? spent.prompt_tokens + spent.answer_tokens : 0)}
        show={count}
        isAmount
      />
      {currency && (
        <DayPlot
          days={days}
          title={words.cost}
          about={words.costADay(money(total, currency))}
          value={costOf}
          show={(value) => money(value, currency)}
          isAmount
          least={0.01}
        />
      )}
    </>
  )
}

type DayPlotOf = {
  days: Day[]
  title: string
  about: string
  value: (day: Day) => number | null
  show: (value: number) => string
  most?: number
  isAmount?: boolean
  least?: number // what the scale goes up to at least
}

// Days on which nothing was asked have no score and no time: the line is drawn from one day that has to the next.
function DayPlot({ days, title, about, value, show, most, isAmount, least }: DayPlotOf) {
  const points = days.flatMap((day, x) => {
    const y = value(day)
    return y === null ? [] : [{ x, y }]
  })
  const ticks =
    most === undefined ? ticksUpTo(Math.max(...points.map((point) => point.y), 0), least) : [0, 25, 50, 75, 100]
  const named = [0, Math.floor((days.length - 1) / 2), days.length - 1]
  return (
    <Plot
      title={title}
      about={about}
      x={{
        from: -0.7,
        to: days.length - 0.3,
        label: '',
        ticks: named,
        show: (at) => short.format(new Date(days[at]!.day)),
      }}
      y={{ from: 0, to: ticks.at(-1)!, label: '', ticks, show }}
      heads={[words.day, title]}
      rows={points.map(({ x, y }) => [days[x]!.day, show(y)])}
    >
      {(scale: Scale) =>
        isAmount ? (
          <Bars scale={scale} points={points} width={Math.min(24, 260 / days.length)} />
        ) : (
          <>
            <Line scale={scale} points={points} />
            {points.length < 40 &&
              points.map(({ x, y }) => <circle key={x} className="dot" cx={scale.x(x)} cy={scale.y(y)} r={2.6} />)}
          </>
        )
      }
    </Plot>
  )
}
