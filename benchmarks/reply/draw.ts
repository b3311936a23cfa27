// The two curves of every set as one picture.
import { type Judged, reliability, riskCoverage } from '../../src/reply/score/curves.ts'

const [SIZE, GAP, TOP] = [320, 70, 46]
const COLOURS = ['#3552c8', '#1f7a4d', '#b3343a', '#9a5b00', '#7a3fa8']

export function curvesAsSvg(curves: { name: string; judged: Judged[] }[]): string {
  const width = 2 * SIZE + 3 * GAP
  const height = SIZE + TOP + 70
  const left = GAP
  const right = SIZE + 2 * GAP
  const lines = curves.flatMap(({ judged }, at) => [
    path(
      reliability(judged).map(({ said, right: share }) => [said / 100, share / 100]),
      left,
      at,
    ),
    path(
      riskCoverage(judged).map(({ coverage, risk }) => [coverage, risk]),
      right,
      at,
    ),
  ])
  const legend = curves.map(
    ({ name }, at) =>
      `<text x="${GAP + at * 130}" y="${height - 8}" fill="${COLOURS[at % COLOURS.length]}">● ${name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui,sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#fff"/>
${axes(left, 'Reliability', 'what the score says', 'share right')}
<path d="M${left} ${TOP + SIZE}L${left + SIZE} ${TOP}" stroke="#999" stroke-dasharray="4 4" fill="none"/>
${axes(right, 'Risk and coverage', 'share answered', 'share wrong of the answered')}
${lines.join('\n')}
${legend.join('\n')}
</svg>
`
}

const path = (points: [number, number][], x: number, at: number): string =>
  `<path d="${points
    .map(
      ([across, up], point) =>
        `${point === 0 ? 'M' : 'L'}${(x + across * SIZE).toFixed(1)} ${(TOP + (1 - up) * SIZE).toFixed(1)}`,
    )
    .join('')}" stroke="${COLOURS[at % COLOURS.length]}" stroke-width="2" fill="none"/>`

function axes(x: number, title: string, across: string, up: string): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((tick) => {
    const [tickX, tickY] = [x + tick * SIZE, TOP + (1 - tick) * SIZE]
    return `<path d="M${x} ${tickY}H${x + SIZE}" stroke="#e3e6ec"/><text x="${x - 8}" y="${tickY + 4}" text-anchor="end" fill="#5b6475">${tick}</text><text x="${tickX}" y="${TOP + SIZE + 18}" text-anchor="middle" fill="#5b6475">${tick}</text>`
  })
  return `<text x="${x}" y="24" font-size="16" font-weight="600" fill="#1d2330">${title}</text>
${ticks.join('')}
<text x="${x + SIZE / 2}" y="${TOP + SIZE + 36}" text-anchor="middle" fill="#5b6475">${across}</text>
<text transform="rotate(-90)" x="${-(TOP + SIZE / 2)}" y="${x - 42}" text-anchor="middle" fill="#5b6475">${up}</text>`
}
