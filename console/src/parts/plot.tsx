// Plots drawn as SVG: small, in the page's own colours, with their figures in a table for whoever cannot see them.
import type { ReactNode } from 'react'
import { words } from '../words/words.ts'

const WIDTH = 460
const HEIGHT = 270
const EDGE = { left: 54, right: 24, top: 12, bottom: 38 }

export type Point = { x: number; y: number }
export type Axis = { from: number; to: number; label: string; ticks: number[]; show?: (value: number) => string }

export type Scale = { x: (value: number) => number; y: (value: number) => number; bottom: number }

type PlotOf = {
  title: string
  about: string
  x: Axis
  y: Axis
  rows: [string, string][]
  heads: [string, string]
  children: (scale: Scale) => ReactNode
}

export function Plot({ title, about, x, y, rows, heads, children }: PlotOf) {
  const scale: Scale = {
    x: (value) => EDGE.left + ((value - x.from) / (x.to - x.from || 1)) * (WIDTH - EDGE.left - EDGE.right),
    y: (value) => HEIGHT - EDGE.bottom - ((value - y.from) / (y.to - y.from || 1)) * (HEIGHT - EDGE.top - EDGE.bottom),
    bottom: HEIGHT - EDGE.bottom,
  }
  return (
    <figure className="plot">
      <figcaption>
        <h3>{title}</h3>
        <p className="small quiet">{about}</p>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}. ${about}`}>
        {y.ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={scale.y(tick)} y2={scale.y(tick)} />
            <text className="tick" x={EDGE.left - 8} y={scale.y(tick) + 4} textAnchor="end">
              {(y.show ?? String)(tick)}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} className="tick" x={scale.x(tick)} y={scale.bottom + 17} textAnchor="middle">
            {(x.show ?? String)(tick)}
          </text>
        ))}
        <text className="axis" x={WIDTH - EDGE.right} y={HEIGHT - 4} textAnchor="end">
          {x.label}
        </text>
        <text className="axis" x={EDGE.left + 4} y={EDGE.top + 8}>
          {y.label}
        </text>
        {children(scale)}
      </svg>
      <details className="small">
        <summary>{words.asFigures}</summary>
        <table>
          <thead>
            <tr>
              <th>{heads[0]}</th>
              <th>{heads[1]}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="figures">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

export const Line = ({ points, scale, className = 'line' }: { points: Point[]; scale: Scale; className?: string }) => (
  <path
    className={className}
    d={points
      .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`)
      .join('')}
  />
)

export const Area = ({ points, scale }: { points: Point[]; scale: Scale }) => {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const top = points.map(({ x, y }) => `L${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`).join('')
  return <path className="area" d={`M${scale.x(first.x)} ${scale.bottom}${top}L${scale.x(last.x)} ${scale.bottom}Z`} />
}

export const Bars = ({ points, scale, width }: { points: Point[]; scale: Scale; width: number }) =>
  points
    .filter(({ y }) => y > 0)
    .map(({ x, y }) => (
      <rect
        key={x}
        className="bar-of-plot"
        x={scale.x(x) - width / 2}
        y={scale.y(y)}
        width={width}
        height={scale.bottom - scale.y(y)}
        rx={1.5}
      />
    ))

// Round figures from nothing to beyond the most, never smaller steps than one.
// `least`: what the scale goes up to where there is next to nothing.
export function ticksUpTo(most: number, least = 4): number[] {
  const rough = Math.max(most, least) / 4
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((by) => by * size).find((by) => by >= rough)!
  return Array.from({ length: Math.ceil(Math.max(most, least / 4) / step) + 1 }, (_, at) => at * step)
}
