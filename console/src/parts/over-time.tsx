// Messages, scores, time to answer and what was withheld, day by day.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { admin, type Day } from '../api/admin.ts'
import { Bars, Line, Plot, type Scale, ticksUpTo } from './plot.tsx'
import { Skeleton, Wrong } from './small.tsx'
import { count } from './times.ts'

const spans = [14, 30, 90]
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

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
        <h2>Over time</h2>
        <fieldset className="row">
          <legend className="unseen">How far back</legend>
          {spans.map((span) => (
            <label key={span} className="choice small">
              <input type="radio" name="span" checked={days === span} onChange={() => setDays(span)} /> {span} days
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
            title="Messages"
            about="Questions a day, answered or not."
            value={(day) => day.replies}
            show={count}
            isAmount
          />
          <DayPlot
            days={data.days}
            title="Answered"
            about="Replies sent, a day."
            value={(day) => day.answered}
            show={count}
            isAmount
          />
          <DayPlot
            days={data.days}
            title="Scores"
            about="The middle score of a day’s replies."
            value={(day) => day.score}
            show={(value) => `${Math.round(value)} %`}
            most={100}
          />
          <DayPlot
            days={data.days}
            title="Time to answer"
            about="What half of a day’s replies took at most."
            value={(day) => day.took_ms}
            show={(value) => `${Math.round(value)} ms`}
          />
          <DayPlot
            days={data.days}
            title="The slowest"
            about="What 95 of 100 replies of a day took at most."
            value={(day) => day.slow_ms}
            show={(value) => `${Math.round(value)} ms`}
          />
          <DayPlot
            days={data.days}
            title="Approved"
            about="Replies that you judged right, a day."
            value={(day) => day.approved}
            show={count}
            isAmount
          />
          <DayPlot
            days={data.days}
            title="Withheld"
            about="Replies below the threshold, a day."
            value={(day) => day.withheld}
            show={count}
            isAmount
          />
        </div>
      )}
    </section>
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
}

// Days on which nothing was asked have no score and no time: the line is drawn from one day that has to the next.
function DayPlot({ days, title, about, value, show, most, isAmount }: DayPlotOf) {
  const points = days.flatMap((day, x) => {
    const y = value(day)
    return y === null ? [] : [{ x, y }]
  })
  const ticks = most === undefined ? ticksUpTo(Math.max(...points.map((point) => point.y), 1)) : [0, 25, 50, 75, 100]
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
      heads={['day', title.toLowerCase()]}
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
