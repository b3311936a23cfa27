// Minutes, agendas and plans come in numbered points: "2. Roof. The slates leak. Decision: Thwaite Brothers." Of each
// point one sentence is told, under the point's name.
import { isResolved } from '../../language/language.ts'
import { type Quote, sentenceOf } from '../evidence/evidence.ts'

const POINT = /(?:^|\n)[ \t]{0,8}\d{1,2}[.)] ([^.?!:\n]{2,40})[.?!:]/g
const LEAST_POINTS = 3
const RESOLVED = 0.5 // of strength: what was decided is what a point came to

type Weighed = Quote & { strength: number }

// The strongest sentence of each point; null where the sentences are not those of a document in points.
export function pointsIn<One extends Weighed>(sentences: One[]): (One & { point: string })[] | null {
  const best = new Map<string, One & { point: string }>()
  for (const one of sentences) {
    const point = pointAround(one)
    if (!point) continue
    const strength = one.strength + (isResolved(sentenceOf(one)) ? RESOLVED : 0)
    const isBest = strength > (best.get(point.key)?.strength ?? 0)
    if (isBest) best.set(point.key, { ...one, point: point.name, strength })
  }
  return best.size < LEAST_POINTS ? null : [...best.values()]
}

// The point in which a sentence stands: its name, or nothing where the sentence begins with it. Null where it stands in
// none, or is no more than the name.
function pointAround({ passage: { text }, sentence }: Quote): { key: string; name: string } | null {
  const above = [...text.slice(0, sentence.end).matchAll(POINT)].at(-1)
  if (!above) return null
  const key = above[1]!
  const ends = above.index + above[0].length
  if (ends <= sentence.start) return { key, name: key }
  return ends < sentence.end ? { key, name: '' } : null
}
