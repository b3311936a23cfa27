// What a score is made of, in words: bars to the right made the reply surer, bars to the left less sure.
import type { Explanation } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { decimals } from './times.ts'

// The score's own names for what it looks at; one it has learned since shows under its own.
const names: Record<string, string> = words.scoreParts

const SMALL = 0.05 // log-odds: hardly moves a score

export function ScoreParts({ parts }: Pick<Explanation, 'parts'>) {
  const sorted = parts.toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  const telling = sorted.filter((part) => Math.abs(part.contribution) >= SMALL)
  const small = sorted.filter((part) => !telling.includes(part))
  const most = Math.max(...parts.map((part) => Math.abs(part.contribution)), 0.1)
  return (
    <section className="stack">
      <h3>{words.scoreIsMadeOf}</h3>
      <Bars parts={telling} most={most} />
      {small.length > 0 && (
        <details className="small">
          <summary>{words.thatHardlyCount(small.length)}</summary>
          <Bars parts={small} most={most} />
        </details>
      )}
      <p className="hint">{words.toTheRightSurer}</p>
    </section>
  )
}

const Bars = ({ parts, most }: Pick<Explanation, 'parts'> & { most: number }) => (
  <dl className="part-bars">
    {parts.map(({ name, contribution }) => {
      const isFor = contribution >= 0
      const share = (Math.abs(contribution) / most) * 50
      return (
        <div key={name}>
          <dt>{names[name] ?? name}</dt>
          <dd>
            <span className="part-bar" aria-hidden="true">
              <i
                className={isFor ? 'for' : 'against'}
                style={{ width: `${share}%`, [isFor ? 'left' : 'right']: '50%' }}
              />
            </span>
            <span className="figures small">
              {isFor ? '+' : '−'}
              {decimals(Math.abs(contribution), 2)}
            </span>
          </dd>
        </div>
      )
    })}
  </dl>
)
