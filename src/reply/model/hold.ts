// Holds each sentence of a model's answer to the memories it cites: they say it, say otherwise, or do not say it.
import type { Recollection } from '../../domain/memory.ts'
import { evenWeights, isTalk, sentenceRanges, shareInText, stems } from '../../language/language.ts'
import type { Claim, Entailment, Reader } from '../../ports/models.ts'
import { limits } from '../limits.ts'
import type { CitedSentence } from './citations.ts'
import { type Conflict, findConflict } from './conflicts.ts'
import { keysOf } from './facts.ts'

export type Verdict = 'supported' | 'contradicted' | 'unsaid'

export type Held = {
  sentence: CitedSentence
  source: Recollection // that says most of it
  entailment: Entailment | null // null where no reader could tell
  conflict: Conflict | null
  verdict: Verdict
}

type HoldNeeds = { reader?: Pick<Reader, 'verify'> | undefined; onTrouble?(error: unknown): void }

// Sentences that state nothing are left out. `given`: the names of both sides, which anyone may say.
export async function holdToMemory(
  { reader, onTrouble }: HoldNeeds,
  sentences: CitedSentence[],
  shown: Recollection[],
  given: string[],
): Promise<Held[]> {
  const known = new Set(given.flatMap(keysOf))
  const pairs = sentences
    .filter(({ text }) => keysOf(text).some((key) => !isTalk(key)) && !text.endsWith('?'))
    .slice(0, limits.heldSentences)
    .flatMap((sentence) => sourcesOf(sentence, sentences, shown).map((source) => ({ sentence, source })))
  const claims = pairs.map(({ sentence, source }) => ({
    sentence: sentence.text,
    passage: premiseOf(sentence, source),
  }))
  const found = await verify(reader, claims).catch((error: unknown) => {
    onTrouble?.(error)
    return null
  })
  const held = pairs.map((pair, at): Held => {
    const entailment = found?.[at] ?? null
    const conflict = findConflict(pair.sentence.text, pair.source, known)
    return { ...pair, entailment, conflict, verdict: judge(entailment, conflict) }
  })
  // One memory that says it is enough.
  return [...Map.groupBy(held, ({ sentence }) => sentence).values()].map((all) =>
    all.reduce((best, one) => (strengthOf(one) > strengthOf(best) ? one : best)),
  )
}

const verify = async (reader: HoldNeeds['reader'], claims: Claim[]): Promise<Entailment[] | null> =>
  claims.length === 0 ? [] : ((await reader?.verify?.(claims)) ?? null)

const strengthOf = ({ entailment, conflict }: Held): number => (entailment?.supported ?? 0.5) - (conflict ? 0.5 : 0)

// Those it names; else those that the answer names; else what shares most words with it.
function sourcesOf({ text, numbers }: CitedSentence, all: CitedSentence[], shown: Recollection[]): Recollection[] {
  const named = [numbers, all.flatMap((one) => one.numbers)]
    .map((some) => [...new Set(some)].flatMap((number) => shown[number - 1] ?? []))
    .find((some) => some.length > 0)
  const weights = evenWeights(stems(text))
  const shareOf = ({ title, memory }: Recollection) => shareInText(weights, `${title} ${memory.text}`)
  return (named ?? shown).toSorted((one, two) => shareOf(two) - shareOf(one)).slice(0, limits.heldMemories)
}

const NEIGHBOURS = 2

// Of a long memory the sentence that shares most with the claim, and what stands around it.
function premiseOf({ text: claim }: CitedSentence, { passage }: Recollection): string {
  const { text } = passage
  if (text.length <= limits.heldCharacters) return text
  const ranges = sentenceRanges(text)
  const weights = evenWeights(stems(claim))
  const shares = ranges.map(({ start, end }) => shareInText(weights, text.slice(start, end)))
  const best = shares.indexOf(Math.max(...shares))
  const [first, last] = [ranges[Math.max(0, best - NEIGHBOURS)], ranges[Math.min(ranges.length - 1, best + 1)]]
  return first && last ? text.slice(first.start, last.end) : text
}

const CONTRADICTED = 0.8 // by the reader alone
const CONTRADICTED_BESIDE = 0.3 // where an exact check finds the same
const SUPPORTED = 0.5

function judge(entailment: Entailment | null, conflict: Conflict | null): Verdict {
  if (conflict === 'order') return 'unsaid'
  if (!entailment) return conflict ? 'contradicted' : 'supported'
  const { supported, contradicted } = entailment
  if (contradicted >= (conflict ? CONTRADICTED_BESIDE : CONTRADICTED)) return 'contradicted'
  if (supported >= SUPPORTED) return conflict ? 'unsaid' : 'supported'
  return 'unsaid'
}
