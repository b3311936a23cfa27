// What a score is made of, in words: bars to the right made the reply surer, bars to the left less sure.
import type { Explanation } from '../api/admin.ts'

// The score's own names for what it looks at; one it has learned since shows under its own.
const words: Record<string, string> = {
  base: 'Before anything is read',
  meaning: 'Means the same',
  words: 'Shares words with the passage',
  sentence: 'Shares words with the sentence',
  answerable: 'Reads like an answer',
  span: 'The answer stands out in its passage',
  closer: 'Reads like an answer by itself',
  support: 'Others say the same',
  dated: 'Was said in passing, one day',
  beyond: 'Asks for more than one memory tells',
  'own verdicts': 'Your own verdicts',
  supported: 'Keeps to what memory says',
  'missing facts': 'Facts that memory lacks',
  'wrong citations': 'Cites what is not there',
  'not cited': 'Cites nothing',
  'cut off': 'Broke off',
  promised: 'What memory promises',
  'on the question': 'Cites memories about the question',
  'borne out': 'Memory says every sentence',
  contradicted: 'Memory says otherwise',
  'contradicts memory': 'Memory says otherwise',
  'told otherwise': 'A name, number or denial differs',
  orders: 'Repeats what a memory orders',
  'holds span': 'Holds what memory answers',
  'log-probability': 'How sure the model was of its words',
}

const SMALL = 0.05 // log-odds: hardly moves a score

export function ScoreParts({ parts }: Pick<Explanation, 'parts'>) {
  const sorted = parts.toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  const telling = sorted.filter((part) => Math.abs(part.contribution) >= SMALL)
  const small = sorted.filter((part) => !telling.includes(part))
  const most = Math.max(...parts.map((part) => Math.abs(part.contribution)), 0.1)
  return (
    <section className="stack">
      <h3>What the score is made of</h3>
      <Bars parts={telling} most={most} />
      {small.length > 0 && (
        <details className="small">
          <summary>{small.length} that hardly count</summary>
          <Bars parts={small} most={most} />
        </details>
      )}
      <p className="hint">To the right: surer. To the left: less sure.</p>
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
          <dt>{words[name] ?? name}</dt>
          <dd>
            <span className="part-bar" aria-hidden="true">
              <i
                className={isFor ? 'for' : 'against'}
                style={{ width: `${share}%`, [isFor ? 'left' : 'right']: '50%' }}
              />
            </span>
            <span className="figures small">
              {isFor ? '+' : '−'}
              {Math.abs(contribution).toFixed(2)}
            </span>
          </dd>
        </div>
      )
    })}
  </dl>
)
